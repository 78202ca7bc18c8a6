"""BattleScribe's and New Recruit's data files: `.gst .cat .gstz .catz .json .zip .bsr`, or a folder of them."""
