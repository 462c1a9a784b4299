#!/bin/bash
# Two hosts on one machine, with a slow network between them, for programs of Open MPI:
#
#   tests/bench/slow_network.sh GBIT MILLISECONDS COMMAND...
#
# Runs COMMAND with MPIRUN set to an mpirun that puts two ranks on two network namespaces. What one sends arrives at the
# other after MILLISECONDS, and no faster than GBIT. As root, with python3 and iproute2.
set -euo pipefail
if [ $# -lt 3 ]; then
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | sed '$d' >&2
  exit 2
fi
gbit=$1 milliseconds=$2
shift 2
work=$(mktemp -d)
hosts=(s2va s2vb)
end() {
  [ -z "${link:-}" ] || kill "$link" 2>/dev/null || true
  for host in "${hosts[@]}"; do ip netns delete "$host" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end EXIT
for host in "${hosts[@]}"; do
  ip netns add "$host"
  ip -n "$host" link set lo up
done

# A wire: reads packets of one namespace's TUN device and writes them to the other's when they are due.
cat >"$work/link.py" <<'PYTHON'
import collections, ctypes, fcntl, os, select, struct, sys, time
bytes_a_second, delay = float(sys.argv[1]) * 1e9 / 8, float(sys.argv[2]) / 1e3
libc = ctypes.CDLL(None, use_errno=True)
ends = []
for host, own in (('s2va', 1), ('s2vb', 2)):
    libc.setns(os.open('/run/netns/' + host, os.O_RDONLY), 0x40000000)
    tun = os.open('/dev/net/tun', os.O_RDWR)
    fcntl.ioctl(tun, 0x400454ca, struct.pack('16sH', b'wire', 0x1001))  # TUNSETIFF: IFF_TUN, IFF_NO_PI
    os.system(f'ip addr add 10.99.0.{own}/24 dev wire && ip link set wire mtu 60000 txqueuelen 10000 up')
    ends.append(tun)
print('ready', flush=True)
queues, free = {tun: collections.deque() for tun in ends}, dict.fromkeys(ends, 0.0)
while True:
    now = time.monotonic()
    for tun, queue in queues.items():
        while queue and queue[0][0] <= now:
            os.write(ends[1 - ends.index(tun)], queue.popleft()[1])
    due = min((queue[0][0] for queue in queues.values() if queue), default=now + 1)
    for tun in select.select(ends, [], [], max(0.0, due - now))[0]:
        packet, now = os.read(tun, 65536), time.monotonic()
        free[tun] = max(free[tun], now) + len(packet) / bytes_a_second
        queues[tun].append((free[tun] + delay, packet))
PYTHON
python3 "$work/link.py" "$gbit" "$milliseconds" >"$work/ready" &
link=$!
until grep -q ready "$work/ready"; do
  kill -0 "$link"
  sleep 0.1
done

# mpirun starts its daemon on the other host through this in ssh's place: AGENT HOST COMMAND...
cat >"$work/agent" <<'SH'
#!/bin/bash
shift
exec ip netns exec s2vb unshare --uts bash -c 'hostname s2vb; exec bash -c "$0"' "$*"
SH
chmod +x "$work/agent"
cat >"$work/mpirun" <<SH
#!/bin/bash
shift 2  # -n 2; one rank needs no network
[ "\$2" != 1 ] || exec mpirun "\$@"
exec ip netns exec s2va unshare --uts bash -c 'hostname s2va; exec "\$0" "\$@"' mpirun -n 2 --bind-to none \\
  --host s2va:1,10.99.0.2:1 --mca plm_rsh_agent $work/agent --mca btl tcp,self --mca btl_tcp_if_include wire \\
  --mca oob_tcp_if_include wire "\$@"
SH
chmod +x "$work/mpirun"
MPIRUN=$work/mpirun "$@"
