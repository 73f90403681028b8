/** What a field of an answer may hold. */
export type FieldKind =
  | { readonly type: 'text' }
  | { readonly type: 'number' }
  | { readonly type: 'flag' }
  | { readonly type: 'list' }
  | { readonly type: 'word'; readonly of: readonly string[] }
  /** Its schema allows more than one of these. */
  | { readonly type: 'any' }

export type Fields = Readonly<Record<string, FieldKind>>

const TEXT: FieldKind = { type: 'text' }
const LIST: FieldKind = { type: 'list' }
const FLAG: FieldKind = { type: 'flag' }
const CONFIDENCE: FieldKind = { type: 'word', of: ['high', 'medium', 'low'] }

/** The verdicts of a review, as a playbook routes them. */
export const VERDICTS = ['APPROVED', 'NEEDS_REVISION', 'REJECTED'] as const

/** The answers that Muster knows. A playbook can bring a JSON Schema of its own for others. */
export const OUTPUT_FORMATS = {
  /** A commit that differs from the one it started from. */
  change: {
    summary: TEXT,
    files: LIST,
    artifactType: { type: 'word', of: ['code', 'test', 'documentation', 'diagram', 'config'] },
    testsAdded: LIST,
    assumptions: LIST,
    knownLimitations: LIST,
    dependenciesAdded: LIST,
    issuesFixed: LIST,
    issuesDisputed: LIST,
    criteria: LIST,
    learnings: LIST,
  },
  criteria: { criteria: LIST, risks: LIST, needsDesign: FLAG },
  design: {
    approach: TEXT,
    alternatives: LIST,
    phases: LIST,
    files: LIST,
    risks: LIST,
    openQuestions: LIST,
    assumptions: LIST,
  },
  questions: { questions: LIST },
  findings: { summary: TEXT, findings: LIST, confidence: CONFIDENCE, openQuestions: LIST, methodology: TEXT },
  review: {
    verdict: { type: 'word', of: VERDICTS },
    summary: TEXT,
    issues: LIST,
    criteria: LIST,
    checksDone: LIST,
    positive: LIST,
    suggestions: LIST,
  },
  choice: { choice: { type: 'number' }, reason: TEXT },
  document: { title: TEXT, text: TEXT },
} as const satisfies Readonly<Record<string, Fields>>

export type OutputFormat = keyof typeof OUTPUT_FORMATS

export function formatFields(format: string): Fields | undefined {
  return Object.hasOwn(OUTPUT_FORMATS, format) ? OUTPUT_FORMATS[format as OutputFormat] : undefined
}
