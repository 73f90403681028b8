import type { InputStream } from '../surroundings.ts'

type RawInput = InputStream & { setRawMode?(isRaw: boolean): unknown }

/** Passes single keys on until disposed. Disposing it, or any exit of the process, ends raw mode. */
export function holdKeys(stdin: RawInput, onKey: (key: string) => void): Disposable {
  const listen = (chunk: Buffer | string) => {
    // A pasted text or an escape sequence is not a key.
    const text = chunk.toString()
    if (text.length === 1) onKey(text)
  }
  let isHeld = true
  const release = () => {
    if (!isHeld) return
    isHeld = false
    process.off('exit', release)
    stdin.off('data', listen)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
  process.on('exit', release)
  stdin.setRawMode?.(true)
  stdin.on('data', listen)
  stdin.resume()
  return { [Symbol.dispose]: release }
}
