"""The program s2v that comes with the package: python -m sqlite_s2v train news.db --table docs --column body"""
import os
import subprocess
import sys

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "s2v")
if os.name == "nt":  # where execv returns to the shell before the program ends
    sys.exit(subprocess.call([program + ".exe", *sys.argv[1:]]))
os.execv(program, ["s2v", *sys.argv[1:]])
