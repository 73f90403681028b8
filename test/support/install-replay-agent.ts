import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const PROGRAM = path.resolve(import.meta.dirname, 'replay-agent.ts')

/**
 * Installs a program called `name` in the new folder `tools` of `directory`, and returns that folder for a PATH. The
 * program ignores its arguments and replays the transcript.
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
