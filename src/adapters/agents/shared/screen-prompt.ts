import { byteLength } from '../../../domain/byte-length.ts'
import type { LaunchRequest } from '../../../ports/agent-provider.ts'

/** Linux limits a single argument to 128 KiB. */
const MOST_BYTES = 100_000

/**
 * The first prompt of a program on its own screen, as an argument; undefined if there is none. A prompt that is too long
 * for an argument is read from its file.
 */
export function screenPrompt({ mode, prompt = '', promptFile }: LaunchRequest): string | undefined {
  if (mode !== 'interactive' || prompt.trim() === '') return undefined
  if (byteLength(prompt) > MOST_BYTES) {
    return `Your instructions are in the file ${promptFile}. Read the file and follow them.`
  }
  return prompt.replaceAll('\0', '\ufffd')
}
