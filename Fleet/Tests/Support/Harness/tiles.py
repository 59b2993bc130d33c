"""A third party with aics-tlog of PyPI: fetches a host's log from a collector as C2SP tlog-tiles, and authenticates the checkpoint,
its cosignature, each tile and each bundle of entries.

    tiles.py PREFIX KEYS VKEY

PREFIX is the address of the log's tiles, KEYS a file with the host's verifier keys, VKEY the collector's. Prints the size, and how
much was authenticated.
Exit codes: 0 verified, 1 it does not verify, with the reason.
"""
import sys

from aics_tlog import HttpTileReader, audit_tiles, parse_note, parse_vkey, verify_checkpoint


def main(prefix, keys, cosigner):
    reader = HttpTileReader(prefix)
    note = parse_note(reader.read_checkpoint())
    results = [
        verify_checkpoint(note, parse_vkey(key), [parse_vkey(cosigner)], quorum=1) for key in open(keys).read().split()]
    signed = next((result for result in results if result.ok), None)
    if signed is None:
        print(f"the checkpoint does not verify: {[result.error for result in results]}")
        return 1
    audit = audit_tiles(reader, signed.size, signed.root)
    print(f"{audit.size} records, {audit.tiles} tiles, {audit.bundles} bundles, cosigned by {', '.join(signed.witnesses)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
