"""Letters that look like Latin ones, by script: those of Unicode's confusables.txt (UTS 39, version 15.1).

Each group is a Latin letter and those of the script that look like it, the one in common use first.
"""

# Added to the published pairs:
#   κ  that has it with ĸ, which differs from k by the height of its stem
#   χ  that has it with ꭓ, which most typefaces draw as x
#   Ԛ  the capital of ԛ, which it has
#   ӏ  that has it with i, and most typefaces draw it as l
# Left out of them:
#   σ  a symbol of statistics and physics, which no typeface draws as o
#   ဝ  Burmese has no spaces, so that its words touch Latin ones
#   Hebrew, Arabic and N'Ko, which turn the direction of a line and so show themselves
PAIRS = {
    "Cyrillic": "AА aа BВ bЬ CС cс dԁ EЕ eеҽ GԌ HН hһ IІӀ iіꙇ JЈ jј KК lӏ MМ OО oо PР pр QԚ qԛ rг SЅ sѕ TТ VѴ vѵ WԜ "
    "wԝѡ XХ xх YУҮ yуү",
    "Greek": "AΑ aα BΒ CϹ cϲ EΕ FϜ HΗ IΙ iι JͿ jϳ KΚ kκ MΜϺ NΝ OΟ oο PΡ pρϱ rᴦ TΤ uυ vν XΧ xχ YΥϒ yγ ZΖ",
    "Armenian": "fք gց hհ nոռ OՕ oօ qզգ SՏ UՍ uս wա",
    "Coptic": "CⲤ cⲥ HⲎ IⲒ KⲔ LⳐ MⲘ NⲚ OⲞ oⲟ PⲢ pⲣ rⲅ TⲦ XⲬ YⲨ",
    "Cherokee": "AᎪ BᏴ bᏏ CᏟ cꮯ DᎠ dᏧ EᎬ GᏀᏳ HᎻ hᏂ iᎥꭵ JᎫ KᏦ LᏞ MᎷ PᏢ RᎡᏒ rꮁ SᏚᏕ sꮪ TᎢ VᏙ vꮩ WᎳᏔ wꮃ YᎩᎽ ZᏃ zꮓ",
    "Lisu": "Aꓮ Bꓐ Cꓚ Dꓓ dꓒ Eꓰ Fꓝ Gꓖ Hꓧ Iꓲ Jꓙ Kꓗ Lꓡ Mꓟ Nꓠ Oꓳ Pꓑ Rꓣ Sꓢ Tꓔ Uꓴ Vꓦ Wꓪ Xꓫ Yꓬ Zꓜ",
    "Canadian_Aboriginal": "Aᗅ Bᗷ bᑲᖯ Dᗞᗪ dᑯ Fᖴ Hᕼ Jᒍ Lᒪ Mᗰ Pᑭ Rᖇ Uᑌ Vᐯ xᕁᕽ",
    "Georgian": "oჿ yყ",
    "Deseret": "C𐐕 c𐐽 L𐐛 O𐐄 o𐐬 S𐐠 s𐑈",
    "Osage": "O𐓂 o𐓪 R𐒴 U𐓎 u𐓶",
    "Tifinagh": "Eⴹ Iⵏ Oⵔ Qⵕ Vⴸ Xⵝ",
    "Warang_Citi": "E𑢦𑢮 F𑢢𑣂 i𑣃 L𑢣𑢲 O𑢵 o𑣈𑣗 s𑣁 T𑢼 U𑢸 u𑣘 V𑢠 v𑣀 Y𑢤 y𑣜 Z𑢩 z𑣄",
    "Miao": "A𖽀 I𖼨 L𖼖 R𖼵 S𖼺 T𖼊 U𖽂 V𖼈 Y𖽃",
    "Bamum": "Vꛟ",
    "Ahom": "v𑜆 w𑜊𑜎𑜏",
    "Ethiopic": "Oዐ Uሀ",
    "Malayalam": "oഠ",
    "Oriya": "Oଠ",
    "Runic": "Iᛁ Kᛕ Mᛖ Xᚷ",
    "Old_Italic": "B𐌁 C𐌂 I𐌉 M𐌑 T𐌕 X𐌗",
    "Lycian": "B𐊂 E𐊆 F𐊇 I𐊊 O𐊒 P𐊕 S𐊖 T𐊗 X𐊐",
    "Carian": "A𐊠 B𐊡 C𐊢 F𐊥 H𐋏 M𐊰 O𐊫 T𐊱 X𐊴 Y𐊲",
    "Elbasan": "C𐔜 F𐔥 K𐔘 L𐔦 N𐔓 O𐔖 V𐔝 X𐔧",
}
