/** An entry of a tar file: a regular file with a name of ours. */
export type TarEntry = { readonly name: string; readonly bytes: number }

export const BLOCK_BYTES = 512

const NAME = /^[\w.-]+(?:\/[\w.-]+)*$/
const SIZE_AT = 124
const SIZE_DIGITS = 11
const LARGEST_OCTAL = 8 ** SIZE_DIGITS - 1
const CHECKSUM_AT = 148

/** The header of one file, in the format that every `tar` reads. Only its owner may read the file. */
export function renderTarHeader({ name, bytes }: TarEntry): Buffer {
  if (!NAME.test(name) || name.length > 100) throw new Error(`${name} cannot be the name of a part`)
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  writeSize(header, bytes)
  header.write('00000000000\0', 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT)
  return header
}

/** Undefined at the end of the archive. Throws if this is no header of ours. */
export function parseTarHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined
  const stored = Number.parseInt(header.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 6), 8)
  if (header.length !== BLOCK_BYTES || stored !== checksumOf(header)) throw new Error('it is damaged')
  const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '')
  if (!NAME.test(name) || name.split('/').includes('..') || header[156] !== 0x30) {
    throw new Error(`it contains something unexpected: ${JSON.stringify(name)}`)
  }
  return { name, bytes: readSize(header) }
}

/** Contents are followed by zeros up to the next whole block. */
export function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES
}

/** Eight gigabytes and more don't fit into octal digits; then the number is binary, marked by its first bit. */
function writeSize(header: Buffer, bytes: number): void {
  if (bytes <= LARGEST_OCTAL) {
    header.write(`${bytes.toString(8).padStart(SIZE_DIGITS, '0')}\0`, SIZE_AT)
    return
  }
  header[SIZE_AT] = 0x80
  header.writeBigUInt64BE(BigInt(bytes), SIZE_AT + 4)
}

function readSize(header: Buffer): number {
  if (header[SIZE_AT] === 0x80) return Number(header.readBigUInt64BE(SIZE_AT + 4))
  return Number.parseInt(header.toString('latin1', SIZE_AT, SIZE_AT + SIZE_DIGITS), 8)
}

/** The sum of all bytes, with the checksum itself taken as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 32 : byte), 0)
}
