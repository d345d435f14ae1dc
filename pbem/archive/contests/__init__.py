"""The pages of ladders and leagues: each is a view of plain data, by which a pass tells whether it is to be written."""
