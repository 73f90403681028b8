import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const PROGRAM = path.resolve(import.meta.dirname, 'replay-agent.ts')

/**
 * Puts a program called `name` into the new folder `tools` of `directory`, which is given back for a PATH. It
 * replays the transcript, whatever its arguments are.
 */
export async function installReplayAgent(
  directory: string,
  name: string,
  transcriptFile: string,
): Promise<string> {
  const tools = path.join(directory, 'tools')
  await mkdir(tools, { recursive: true })
  const words = [process.execPath, PROGRAM, transcriptFile].map((word) => `'${word}'`)
  await writeFile(path.join(tools, name), `#!/bin/sh\nexec ${words.join(' ')}\n`)
  await chmod(path.join(tools, name), 0o755)
  return tools
}
