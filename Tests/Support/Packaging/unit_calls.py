"""Prints the system calls that a unit's SystemCallFilter= lines leave, one a line: unit_calls.py UNIT"""
import sys

from unit_walls import allowed_calls, read_unit

print("\n".join(sorted(allowed_calls(read_unit(sys.argv[1], "[Service]")["SystemCallFilter"]))))
