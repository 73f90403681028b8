import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { OutputStream } from '../surroundings.ts'

/** A pager that is running. */
export interface Pager {
  write(text: string, written: (error?: Error | null) => void): void
  /** Resolves when the person has closed it. May be called again. */
  end(): Promise<void>
}

type Needs = {
  readonly stdout: OutputStream
  /** Undefined if it can't be started. */
  readonly startPager: () => Promise<Pager | undefined>
}

/** Where output goes: nowhere yet, to the pager, or to the screen because there is no pager. */
type Place =
  | { readonly type: 'kept'; readonly texts: readonly string[]; readonly rows: number }
  | { readonly type: 'paged'; readonly pager: Pager }
  | { readonly type: 'direct' }

/**
 * Standard output of a command whose output may be longer than the screen. What fits is written at the end; once there
 * is more, a pager gets everything.
 */
export class PagedStream extends Writable {
  readonly isTTY = true
  readonly #needs: Needs
  #place: Place = { type: 'kept', texts: [], rows: 0 }

  constructor(needs: Needs) {
    super({ decodeStrings: false })
    this.#needs = needs
  }

  get columns(): number | undefined {
    return this.#needs.stdout.columns
  }

  get rows(): number | undefined {
    return this.#needs.stdout.rows
  }

  override _write(chunk: string | Buffer, _encoding: string, written: (error?: Error | null) => void): void {
    this.#take(String(chunk), written).catch(written)
  }

  override _final(finished: (error?: Error | null) => void): void {
    this.#finish().then(() => finished(), finished)
  }

  /** A person who leaves the pager early breaks its pipe. The terminal is free again when the pager has ended. */
  override _destroy(error: Error | null, destroyed: (error?: Error | null) => void): void {
    const place = this.#place
    const ended = place.type === 'paged' ? place.pager.end() : Promise.resolve()
    ended.then(() => destroyed(error), destroyed)
  }

  async #take(text: string, written: (error?: Error | null) => void): Promise<void> {
    const place = this.#place
    if (place.type === 'paged') return place.pager.write(text, written)
    if (place.type === 'direct') {
      this.#needs.stdout.write(text, written)
      return
    }
    const texts = [...place.texts, text]
    const rows = place.rows + rowsOf(text, this.columns)
    this.#place = { type: 'kept', texts, rows }
    // The prompt of the shell needs a row too.
    if (rows < (this.rows ?? Number.POSITIVE_INFINITY)) return written()
    const pager = await this.#needs.startPager()
    this.#place = pager === undefined ? { type: 'direct' } : { type: 'paged', pager }
    await this.#take(texts.join(''), written)
  }

  async #finish(): Promise<void> {
    const place = this.#place
    if (place.type === 'paged') return await place.pager.end()
    if (place.type === 'kept') this.#needs.stdout.write(place.texts.join(''))
  }
}

/** How many rows of a terminal a text takes. */
export function rowsOf(text: string, columns = Number.POSITIVE_INFINITY): number {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)),
    0,
  )
}
