/** Tokens of JSON, matched loosely, because a parser later checks every complete object. */
const TOKEN = /[\s,:]+|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|[-+.\deE]+|true|false|null|[{}[\]]/y
const OBJECT_START = /\{\s*["}]/y
const PARTNER: Readonly<Record<string, string>> = { '}': '{', ']': '[' }

/** Finds where the objects in a text end. Remembers its findings, so that no bracket is scanned twice. */
export class ObjectScanner {
  readonly #text: string
  readonly #ends = new Map<number, number | undefined>()
  readonly #token = new RegExp(TOKEN)
  readonly #objectStart = new RegExp(OBJECT_START)
  #steps = 0

  constructor(text: string) {
    this.#text = text
  }

  /** How many characters were read so far, for the caller's limit. */
  get steps(): number {
    return this.#steps
  }

  /** The position after the object that starts at `start`; undefined if the object never closes. */
  endOf(start: number): number | undefined {
    this.#steps += 1
    this.#objectStart.lastIndex = start
    if (!this.#objectStart.test(this.#text)) return undefined
    if (!this.#ends.has(start)) this.#scan(start)
    return this.#ends.get(start)
  }

  #scan(start: number): void {
    const open: number[] = []
    this.#token.lastIndex = start
    let at = start
    while (this.#token.test(this.#text) && this.#follow(open, at)) {
      at = this.#token.lastIndex
      if (open.length === 0) break
    }
    this.#steps += at - start
    // Brackets that are still open never close, from whichever position the scan starts.
    for (const position of open) this.#ends.set(position, undefined)
  }

  /** Processes one token. False if the token closes a bracket that isn't open. */
  #follow(open: number[], at: number): boolean {
    const character = this.#text.charAt(at)
    if (character === '{' || character === '[') open.push(at)
    const partner = PARTNER[character]
    if (partner === undefined) return true
    const opened = open.at(-1)
    if (opened === undefined || this.#text.charAt(opened) !== partner) return false
    open.pop()
    this.#ends.set(opened, this.#token.lastIndex)
    return true
  }
}
