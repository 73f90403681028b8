import { idPrefix } from '../../domain/id.ts'
import { jobTitle } from '../../domain/job/job-title.ts'
import { LIST_LIMITS } from '../../domain/limits/list-limits.ts'
import {
  type IdLengths,
  LEAST_SHORT_ID,
  NAMED_KINDS,
  type NamedKind,
  randomPart,
} from '../../domain/short-id.ts'
import type { NamedRecord, NameSearch } from '../../ports/store/name-records.ts'
import type { Reads } from './find-record.ts'

export type NamesInput = {
  /** What a person typed; an empty text names the newest records. Without a text, only the lengths are read. */
  readonly text?: string | undefined
  readonly kinds?: readonly NamedKind[] | undefined
}

/** Fewer letters are in too many titles to mean one of them. */
const LEAST_TITLE = 3

/** How a text names a record: by the short form of its id, by the start of its id, or by its title. */
export type NamedBy = 'short-id' | 'id-start' | 'title'

export type NameView = {
  readonly by: NamedBy
  readonly title: string
  readonly record: NamedRecord
}

export type NamesView = { readonly lengths: IdLengths; readonly items: readonly NameView[] }

/** Records by what people call them, and how short an id may be. Contract: a text that names nothing is no failure. */
export async function findNames(needs: Reads, { text, kinds = NAMED_KINDS }: NamesInput): Promise<NamesView> {
  const { names } = needs.store.read
  const lengths = await names.lengths()
  if (text === undefined) return { lengths, items: [] }
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const search = searchFor(kind, text)
      const records = await names.find(kind, search, LIST_LIMITS.names)
      return records.flatMap((record) => viewOf(record, search))
    }),
  )
  return { lengths, items: found.flat() }
}

/** The prefix before the underscore may be missing. Without it, a few letters are more likely part of a title. */
function searchFor(kind: NamedKind, text: string): NameSearch {
  const typed = text.trim()
  const prefix = `${idPrefix(kind)}_`
  const isPrefixed = typed.startsWith(prefix)
  const part = (isPrefixed ? typed.slice(prefix.length) : typed).toLowerCase()
  const isTitle = typed === '' || typed.length >= LEAST_TITLE
  const isId = /^[0-9a-z]{1,20}$/.test(part) && (isPrefixed || part.length >= LEAST_SHORT_ID)
  return { ...(isId ? { idPart: part } : {}), ...(isTitle ? { textPart: typed } : {}) }
}

function viewOf(record: NamedRecord, { idPart, textPart }: NameSearch): readonly NameView[] {
  const title = record.kind === 'job' ? jobTitle(record.text) : record.text
  const by = namedBy(record.id, title, idPart, textPart)
  return by === undefined ? [] : [{ by, title, record }]
}

function namedBy(
  id: string,
  title: string,
  idPart: string | undefined,
  textPart: string | undefined,
): NamedBy | undefined {
  if (idPart !== undefined && randomPart(id).startsWith(idPart)) return 'short-id'
  if (idPart !== undefined && id.slice(id.indexOf('_') + 1).startsWith(idPart)) return 'id-start'
  // The text may be elsewhere in the goal.
  const isTitled = textPart !== undefined && title.toLowerCase().includes(textPart.toLowerCase())
  return isTitled ? 'title' : undefined
}
