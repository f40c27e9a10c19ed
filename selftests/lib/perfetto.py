#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perfetto.py PERFETTO_TRACE_PB2 TRACE EVENTS: checks a trace for Perfetto against the JSON lines
of the same I/Os. It reads TRACE with Perfetto's own description of its messages, which is the
module PERFETTO_TRACE_PB2. All I/Os must be there, slices must nest, and the begin, the length, the
stages and the annotations of each I/O must be the same as in its line. Prints one line per
difference, and the counts. Exits with status 1 if there was a difference."""

import ast
import collections
import json
import sys

from google.protobuf import descriptor_pool

try:
    from google.protobuf.message_factory import GetMessageClass
except ImportError:
    from google.protobuf.message_factory import MessageFactory

    def GetMessageClass(descriptor):
        return MessageFactory().GetPrototype(descriptor)

REALTIME, MONOTONIC, BOOTTIME = 1, 3, 6
BEGIN, END, INSTANT = 1, 2, 3

faults = collections.Counter()


def fault(what):
    faults[what] += 1


def trace_class(path):
    """The class of the message Trace. Its description is read from a literal in the module's text,
    because the module itself may not fit the protobuf library that is installed here."""
    with open(path, encoding="utf-8") as f:
        tree = ast.parse(f.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "AddSerializedFile":
            pool = descriptor_pool.DescriptorPool()
            pool.AddSerializedFile(node.args[0].value)
            return GetMessageClass(pool.FindMessageTypeByName("perfetto.protos.Trace"))
    raise SystemExit(f"{path}: no description of messages")


class Reader:
    """The contents of the packets, in the order of the file"""

    def __init__(self, trace):
        self.names, self.categories, self.notes = {}, {}, {}
        self.tracks, self.snapshots = {}, []
        self.events = collections.defaultdict(list)
        self.lost = 0
        self.clock = None
        for packet in trace.packet:
            self.packet(packet)

    def packet(self, p):
        if not p.trusted_packet_sequence_id:
            fault("a packet without a sequence")
        if p.HasField("clock_snapshot"):
            self.snapshots.append({c.clock_id: c.timestamp for c in p.clock_snapshot.clocks})
            if p.clock_snapshot.primary_trace_clock != BOOTTIME:
                fault("the primary clock is not that of a trace of the system")
        if p.HasField("trace_packet_defaults"):
            self.clock = p.trace_packet_defaults.timestamp_clock_id
        for table, entries in ((self.names, p.interned_data.event_names),
                               (self.categories, p.interned_data.event_categories),
                               (self.notes, p.interned_data.debug_annotation_names)):
            for e in entries:
                if table.setdefault(e.iid, e.name) != e.name:
                    fault(f"{e.name} has the number of {table[e.iid]}")
        if p.HasField("track_descriptor"):
            t = p.track_descriptor
            if t.uuid in self.tracks:
                fault("a track is there twice")
            self.tracks[t.uuid] = t
        if p.HasField("track_event"):
            self.event(p)

    def event(self, p):
        e = p.track_event
        if e.track_uuid not in self.tracks:
            fault("an event on a track that is not there yet")
            return
        if not p.sequence_flags & 2:
            fault("an event that does not say that it needs what was interned")
        notes = {}
        for a in e.debug_annotations:
            kind = a.WhichOneof("value")
            notes[self.notes[a.name_iid]] = getattr(a, kind)
        name = self.names.get(e.name_iid, "")
        if e.type == INSTANT:
            self.lost += notes.get("lost", 0)
            return
        if e.type == BEGIN and (not name or not e.category_iids):
            fault("a slice without name or category")
        category = ",".join(self.categories[i] for i in e.category_iids)
        self.events[e.track_uuid].append((p.timestamp, e.type, name, category, notes))


class Io:
    """Slices of one I/O, on all of its tracks"""

    def __init__(self):
        self.tops, self.below, self.stages = [], [], collections.Counter()


def slices(reader):
    """{number: Io}, and {(process, track): [(begin, end)]}; expects that slices nest"""
    ios = collections.defaultdict(Io)
    spans = collections.defaultdict(list)
    for uuid, events in reader.events.items():
        track = reader.tracks[uuid]
        parent = reader.tracks.get(track.parent_uuid)
        if parent is None or not parent.HasField("process"):
            fault("a track below no process")
            continue
        stack = []
        # This sorts as Perfetto does: events with the same time stay in the order of the file.
        for ns, kind, name, category, notes in sorted(events, key=lambda e: e[0]):
            if kind == BEGIN:
                if len(stack) > 1 or (not stack and category != "io"):
                    fault(f"{name} overlaps another slice of its track")
                stack.append((ns, name, notes))
                continue
            if not stack:
                fault("an end without a begin")
                continue
            begin, name, notes = stack.pop()
            if stack:
                ios[stack[0][2].get("number", -1)].stages[name] += ns - begin
                continue
            io = ios[notes.get("number", -1)]
            top = parent.process.process_name == track.name
            (io.tops if top else io.below).append((track.name, begin, ns - begin, name, notes))
            spans[parent.uuid, track.name].append((begin, ns))
        if stack:
            fault("a slice without an end")
    return ios, spans


def most_at_once(spans):
    now = most = 0
    for _, step in sorted([(a, 1) for a, _ in spans] + [(b, -1) for _, b in spans]):
        now += step
        most = max(most, now)
    return most


def compare(line, io, start):
    if len(io.tops) != 1:
        fault("an I/O that is not once on the track of its device")
        return
    device, begin, length, op, notes = io.tops[0]
    got = {
        "device": device, "at_ns": begin - start, "total_ns": length, "op": op,
        "stages": {k: v for k, v in io.stages.items()},
        "layers": [device] + [b[0] for b in io.below],
        "flags": notes.get("flags", "").split(),
    }
    for key in "sector", "bytes", "pid", "tid", "comm", "think_ns", "error":
        got[key] = notes.get(key)
    for key, value in got.items():
        want = line.get(key)
        if key == "layers":
            value, want = sorted(value), sorted(want)
        if value != want:
            fault(f"{key}: not that of the line")
            if faults.total() < 5:
                print(f"# {key}: {value!r}, not {want!r}")
    if notes["total_ns"] != length:
        fault("total_ns: not the length of the slice")


def main():
    with open(sys.argv[2], "rb") as f:
        trace = trace_class(sys.argv[1]).FromString(f.read())
    with open(sys.argv[3], encoding="utf-8") as f:
        head, *lines, end = [json.loads(line) for line in f]
    reader = Reader(trace)
    start = head["events"]["start_monotonic_ns"]
    ios, spans = slices(reader)
    if sorted(ios) != list(range(len(lines))):
        fault(f"{len(ios)} I/Os, not the {len(lines)} of the lines")
    for number, line in enumerate(lines):
        compare(line, ios[number], start)
    if reader.lost != end["end"]["lost"]:
        fault(f"{reader.lost} lost, not {end['end']['lost']}")
    if reader.clock != MONOTONIC or len(reader.snapshots) != 2:
        fault("timestamps are not of the monotonic clock, or cannot be compared with others")
    else:
        first, last = reader.snapshots
        if set(first) != {REALTIME, MONOTONIC, BOOTTIME} or not \
                start <= first[MONOTONIC] <= last[MONOTONIC]:
            fault("snapshots of the clocks are not of the trace")
        off = first[REALTIME] - first[MONOTONIC] - head["events"]["start_realtime_ns"] + start
        if abs(off) > 5_000_000:
            fault(f"the clocks are {off} ns apart")
        if any(e[0] > last[MONOTONIC] for events in reader.events.values() for e in events):
            fault("an event after the end")
    tracks = collections.Counter((t.parent_uuid, t.name) for t in reader.tracks.values()
                                 if t.parent_uuid)
    for key, n in tracks.items():
        # If I/Os came in the order of their ends, as many tracks as I/Os at once would be enough.
        # They nearly do, so the limit is twice as many and two more.
        if n > most_at_once(spans[key]) * 2 + 2:
            fault(f"{key[1]}: {n} tracks for {most_at_once(spans[key])} I/Os at once")
    for what, n in faults.items():
        print(f"{what} ({n} times)")
    print(f"# {len(ios)} I/Os, {len(tracks)} layers, {sum(tracks.values())} tracks,",
          f"{len(trace.packet)} packets")
    return bool(faults)


sys.exit(main())
