import type { WireJobDocument } from '../../contract/job-document.ts'
import type { JobDocument } from '../../domain/job/job-document.ts'

export function documentToWire(document: JobDocument): WireJobDocument {
  const { kind, number, text, author, createdAt, cycle } = document
  return {
    kind,
    number,
    text,
    author,
    createdAt: createdAt.toISOString(),
    ...(cycle === undefined ? {} : { cycle }),
  }
}
