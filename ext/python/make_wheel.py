"""Makes a wheel of a folder, with the standard library alone: make_wheel.py VERSION FOLDER TARGET PLATFORMS

FOLDER holds the package sqlite_s2v with its compiled files, README.md, LICENSE and NOTICES. PLATFORMS: the tags of those that these
run on, with points between, as in the wheel's name. Equal input gives equal bytes.
"""
import base64
import hashlib
import os
import sys
import zipfile

version, folder, target, platforms = sys.argv[1:]
package = os.path.join(folder, "sqlite_s2v")
info = f"sqlite_s2v-{version}.dist-info"
tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms.split("."))


def content(name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


files = [(f"sqlite_s2v/{name}", content(f"sqlite_s2v/{name}")) for name in sorted(os.listdir(package))]
files += [
    (f"{info}/METADATA",
     (f"Metadata-Version: 2.1\nName: sqlite-s2v\nVersion: {version}\n"
      "Summary: Sentence embeddings and search inside SQLite\nLicense: MIT\nRequires-Python: >=3.8\n"
      "Description-Content-Type: text/markdown\n\n").encode() + content("README.md")),
    (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\n{tags}".encode()),
    (f"{info}/licenses/LICENSE", content("LICENSE")),
    (f"{info}/licenses/NOTICES", content("NOTICES")),
]
record = ""
for name, data in files:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record += f"{name},sha256={digest},{len(data)}\n"
files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))

path = os.path.join(target, f"sqlite_s2v-{version}-py3-none-{platforms}.whl")
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, data in files:
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if data.startswith((b"\x7fELF", b"MZ")) else 0o100644) << 16
        wheel.writestr(entry, data)
print(path)
