"""The program s2v that comes with the package: python -m sqlite_s2v train news.db --table docs --column body"""
import os
import sys

os.execv(os.path.join(os.path.dirname(os.path.abspath(__file__)), "s2v"), ["s2v", *sys.argv[1:]])
