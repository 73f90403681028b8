export type StartRefusal = 'busy' | 'no-space' | 'damaged' | 'refused'

/** Why the server did not start, from the words it left. Its messages are in English: it runs with LC_ALL=C. */
export function classifyStartRefusal(lines: readonly string[]): StartRefusal {
  const text = lines.join('\n')
  if (/No space left on device|Disk quota exceeded/.test(text)) return 'no-space'
  if (/pre-existing shared memory block|lock file ".+" already exists/.test(text)) return 'busy'
  return DAMAGE.some((sign) => sign.test(text)) ? 'damaged' : 'refused'
}

const DAMAGE = [
  /PANIC:/,
  /could not find the database system/,
  /checksum in control file/,
  /could not (?:locate|read) .*checkpoint/,
  /invalid (?:primary |secondary )?checkpoint/,
  /invalid page in block/,
  /could not (?:read|open|access|stat) (?:file|directory) "(?:\.\/)?(?:global|base|pg_wal|pg_xact|pg_multixact|pg_\w+)\b/,
  /is not a valid data directory/,
  /could not open (?:file|directory) .*: No such file or directory/,
]
