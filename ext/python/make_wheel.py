"""Makes a wheel of a folder, with the standard library alone: make_wheel.py VERSION FOLDER TARGET

FOLDER holds the package sqlite_s2v with its compiled files, README.md and LICENSE. The platform tag says which glibc
the compiled files need: the highest version of a symbol that they ask for. Equal input gives equal bytes.
"""
import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import zipfile

version, folder, target = sys.argv[1:]
package = os.path.join(folder, "sqlite_s2v")


def glibc_minor(path):
    symbols = subprocess.run(["objdump", "-T", path], check=True, capture_output=True, text=True).stdout
    return max(int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", symbols))


minor = max(glibc_minor(os.path.join(package, name)) for name in ("s2v", "s2v.so"))
tag = f"py3-none-manylinux_2_{minor}_{platform.machine()}"
info = f"sqlite_s2v-{version}.dist-info"


def content(name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


files = [(f"sqlite_s2v/{name}", content(f"sqlite_s2v/{name}")) for name in sorted(os.listdir(package))]
files += [
    (f"{info}/METADATA",
     (f"Metadata-Version: 2.1\nName: sqlite-s2v\nVersion: {version}\n"
      "Summary: Sentence embeddings and search inside SQLite\nLicense: MIT\nRequires-Python: >=3.8\n"
      "Description-Content-Type: text/markdown\n\n").encode() + content("README.md")),
    (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
    (f"{info}/licenses/LICENSE", content("LICENSE")),
]
record = ""
for name, data in files:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record += f"{name},sha256={digest},{len(data)}\n"
files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))

path = os.path.join(target, f"sqlite_s2v-{version}-{tag}.whl")
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, data in files:
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if data.startswith(b"\x7fELF") else 0o100644) << 16
        wheel.writestr(entry, data)
print(path)
