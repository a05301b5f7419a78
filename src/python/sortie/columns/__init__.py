"""Columns of Arrow: schemas, keys, what rows take, rows taken out of columns, and types that hold the values of
several."""
