import { type IdLengths, shortId, shortIdsIn } from '../domain/short-id.ts'

/** Ids as people see them. Until the daemon reports how short they can be, they stay whole. */
export interface ShortIds {
  learn(lengths: IdLengths): void
  of(id: string): string
  inText(text: string): string
}

export function createShortIds(): ShortIds {
  let known: IdLengths | undefined
  return {
    learn: (lengths) => {
      known = lengths
    },
    of: (id) => (known === undefined ? id : shortId(id, known)),
    inText: (text) => (known === undefined ? text : shortIdsIn(text, known)),
  }
}
