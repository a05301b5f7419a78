"""Rows in z-order or Hilbert order, and geometries."""
