"""The sample texts included with tokviz, 4 to 8 KB each."""

from functools import lru_cache

from tokviz.system.installation import ASSETS

FOLDER = ASSETS / "samples"
SAMPLES = ("english", "thai", "chinese", "python", "arithmetic", "mixed")


@lru_cache(maxsize=len(SAMPLES))
def sample(name: str) -> str:
    """Return a sample text; ValueError for a name that is not in SAMPLES.

    >>> 4_000 < len(sample("english").encode()) < 8_000
    True
    """
    if name not in SAMPLES:
        raise ValueError(f"there is no sample {name!r}; choose one of {', '.join(SAMPLES)}")
    return (FOLDER / f"{name}.txt").read_text("utf-8")
