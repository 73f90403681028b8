import { cutText } from '../process/git-output.ts'

/** A line of a file can't look like this: it starts with a space, a sign or a backslash. */
const FILE_START = '\ndiff --git '
const LEFT_OUT = '\n\\ the rest of this file is left out\n'
/** The least that each file gets while there is room. Less would be of no use to a reader. */
const LEAST_BYTES = 1000

/** Cuts a patch to `maxBytes`. Leaves out the end of long files, so that short ones are complete. */
export function cutPatch(patch: Buffer, maxBytes: number): string {
  if (patch.length <= maxBytes) return patch.toString('utf8')
  const files = filesOf(patch)
  const share = Math.max(fairShare(files, maxBytes), LEAST_BYTES)
  let room = maxBytes
  const shown: string[] = []
  for (const file of files) {
    const text = cutFile(file, Math.min(share, room))
    room -= Buffer.byteLength(text)
    shown.push(text)
    if (room <= 0) break
  }
  return shown.join('')
}

function filesOf(patch: Buffer): readonly Buffer[] {
  const files: Buffer[] = []
  let start = 0
  for (let end = patch.indexOf(FILE_START); end !== -1; end = patch.indexOf(FILE_START, start)) {
    files.push(patch.subarray(start, end + 1))
    start = end + 1
  }
  return [...files, patch.subarray(start)]
}

/** The largest share per file with which all files fit. */
function fairShare(files: readonly Buffer[], maxBytes: number): number {
  const sizes = files.map(({ length }) => length).sort((one, other) => one - other)
  let room = maxBytes
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(room / (sizes.length - index))
    if (size > share) return share
    room -= size
  }
  return maxBytes
}

function cutFile(file: Buffer, maxBytes: number): string {
  if (file.length <= maxBytes) return file.toString('utf8')
  if (maxBytes <= LEFT_OUT.length) return cutText(file.subarray(0, maxBytes))
  return cutText(file.subarray(0, maxBytes - LEFT_OUT.length)) + LEFT_OUT
}
