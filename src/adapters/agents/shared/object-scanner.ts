/** What lies in JSON between its brackets, read loosely: a parser has the last word on a closed span. */
const TOKEN = /[\s,:]+|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|[-+.\deE]+|true|false|null|[{}[\]]/y
const OBJECT_START = /\{\s*["}]/y
const PARTNER: Readonly<Record<string, string>> = { '}': '{', ']': '[' }

/** Tells where objects in one text end. It remembers, so that no bracket is followed twice. */
export class ObjectScanner {
  readonly #text: string
  readonly #ends = new Map<number, number | undefined>()
  readonly #token = new RegExp(TOKEN)
  readonly #objectStart = new RegExp(OBJECT_START)
  #steps = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Characters looked at so far, for the caller's bound. */
  get steps(): number {
    return this.#steps
  }

  /** The place after the object that begins at `start`, or nothing when it does not close. */
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
    // What is still open closes nowhere: its inside reads the same from whichever start it is read.
    for (const position of open) this.#ends.set(position, undefined)
  }

  /** Takes one token into account; false when it closes a bracket that is not open. */
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
