import pg from 'pg'
import { checkOf, type Fence, isRefusal } from './fence.ts'

/** Lists of varying length make new statements of one query; beyond this many, statements stay unnamed. */
const MAX_STATEMENTS = 400

const names = new Map<string, string>()

export type PreparingOptions = {
  readonly fence?: Fence | undefined
  /** Called when a connection can't be opened. */
  readonly onUnreachable?: (error: Error) => void
}

/**
 * A connection that prepares the statements it is given parameters for. PostgreSQL then parses and plans each of them
 * once per connection instead of every time, which is half of what a short statement costs. With a fence, it begins a
 * transaction only if this daemon owns the database; the check takes no round trip of its own.
 */
export class PreparingClient extends pg.Client {
  /** False once the server no longer accepts a statement prepared before, because a table has changed meanwhile. */
  #prepares: boolean = true
  readonly #options: PreparingOptions

  constructor(options: pg.ClientConfig & PreparingOptions) {
    super(options)
    this.#options = options
  }

  // The pool connects with a callback. The overloads can't be repeated in an override.
  override connect(...parameters: unknown[]): never {
    const [callback] = parameters
    const connect = super.connect as (...passed: unknown[]) => never
    if (typeof callback !== 'function') return connect.apply(this, parameters)
    return connect.call(this, (error: Error | null | undefined) => {
      if (error) this.#options.onUnreachable?.(error)
      callback(error)
    })
  }

  // The overloads of `query` can't be repeated in an override, so the parameters are passed on as they come.
  override query(...parameters: unknown[]): never {
    const [text, values, ...rest] = parameters
    const query = super.query as (...passed: unknown[]) => never
    if (text === 'begin' && this.#options.fence !== undefined)
      return this.#begin(this.#options.fence) as never
    if (!this.#prepares || typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return query.apply(this, parameters)
    }
    const name = nameOf(text)
    if (name === undefined) return query.apply(this, [{ text, values }, ...rest])
    const queried: unknown = query.apply(this, [{ name, text, values }, ...rest])
    if (!(queried instanceof Promise)) return queried as never
    return queried.catch((error: unknown) => {
      if (isOutdated(error)) this.#prepares = false
      throw error
    }) as never
  }

  async #begin(fence: Fence): Promise<unknown> {
    try {
      return await super.query(`begin; ${checkOf(fence)}`)
    } catch (error) {
      // The transaction has begun and failed. Nobody would end it, so the connection must not be used again.
      super.end().catch(() => undefined)
      if (isRefusal(error)) fence.onRefused()
      throw error
    }
  }
}

/** "Cached plan must not change result type", or a statement that somebody has removed. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '0A000' || error.code === '26000')
}

/** The same name in every connection, because a statement belongs to one. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_STATEMENTS) return known
  const name = `muster_${names.size + 1}`
  names.set(text, name)
  return name
}
