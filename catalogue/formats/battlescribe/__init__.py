"""Read the data files of BattleScribe and New Recruit."""
