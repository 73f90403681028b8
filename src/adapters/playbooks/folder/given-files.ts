import { failure, type Result, success } from '../../../domain/result.ts'
import type { FolderFiles } from './folder-files.ts'

/** The files of a playbook that was sent as texts. Their names are as the playbook writes them: `./developer.md`. */
export function createGivenFiles(given: Readonly<Record<string, string>>): FolderFiles {
  const texts = new Map<string, string>()
  return {
    texts,
    read: async (name, maxBytes) => {
      const text = readGiven(given, name, maxBytes)
      if (text.ok) texts.set(name, text.value)
      return text
    },
  }
}

function readGiven(
  given: Readonly<Record<string, string>>,
  name: string,
  maxBytes: number,
): Result<string, string> {
  const text = Object.hasOwn(given, name) ? given[name] : undefined
  if (text === undefined) return failure(`${name} wasn't sent with the playbook`)
  if (Buffer.byteLength(text) > maxBytes) return failure(`${name} is larger than ${maxBytes} bytes`)
  return success(text)
}
