"""Texts on which tokenizers and screens stumble."""

ODD = [
    "",
    " ",
    "   \n\t\r\n  ",
    "trailing space ",
    "👩‍👩‍👧‍👦 🇹🇭 👍🏽",
    "น้ำเปล่า ที่นี่ กำลังดี",
    "வணக்கம் நண்பர்களே",
    "你好，世界。今天天气很好",
    "שלום مرحبا \u202eabc\u202c",
    "a\ud83d b",
    "\ud83d\ude00 pair",
    "\ufeffbom",
    "nul\x00nul",
    "<script>alert('x')</script><|endoftext|>",
    "It's IT'S we'll WE'LL",
    "3221 + 2334 = 5555, 1234567",
    "e\u0301 \u200b\u200d \ufffd",
]
