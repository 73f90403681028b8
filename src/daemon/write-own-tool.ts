import { chmod } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeFileWhole } from './write-file-whole.ts'

/** This very Muster, as source or compiled, whichever this file is. */
const BIN = fileURLToPath(new URL(`../bin${extname(import.meta.url)}`, import.meta.url))

/** Puts a `muster` where agents find it: the one that runs them, with the Node that runs it. */
export async function writeOwnTool(directory: string): Promise<void> {
  const path = join(directory, 'muster')
  await writeFileWhole(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(BIN)} "$@"\n`)
  await chmod(path, 0o755)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
