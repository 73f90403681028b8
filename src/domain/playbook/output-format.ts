import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { VERDICT_SCHEMA } from '../review/verdict-schema.ts'
import { type Fields, fieldsOf } from './field-kind.ts'
import {
  flag,
  list,
  type ObjectSchema,
  object,
  optionalText,
  requiredList,
  text,
  wholeNumber,
  word,
} from './value-schema.ts'

const { wordCharacters, longCharacters, documentCharacters } = ANSWER_LIMITS.visit

const CONFIDENCE = ['high', 'medium', 'low']
const ARTIFACT_TYPES = ['code', 'test', 'documentation', 'diagram', 'config']
const PATH = text('a path in the repository', wordCharacters)
const SENTENCE = text('a sentence or two')

const FINDING = object('one finding', {
  claim: text('what you found, in one sentence that could be false'),
  confidence: word('how sure you are', CONFIDENCE),
  sources: requiredList('where it can be seen', text('a file with its line, a commit, or an address')),
  impact: optionalText('what it costs whom, if it is a fault'),
  reproduction: optionalText('commands, a test or exact values that show it, if it is a fault'),
  contradictingEvidence: optionalText('what speaks against it'),
  methodology: optionalText('how you found it'),
})

const CLAIM = object('one of the numbered criteria, if there are any and it is met now', {
  criterion: wholeNumber('its number', 1),
  evidence: optionalText('where it can be seen'),
})

const ALTERNATIVE = object('one alternative', {
  name: text('what it is', wordCharacters),
  pros: list('its advantages', SENTENCE),
  cons: list('its disadvantages, and why you decided against it', SENTENCE),
})

const RISK = object('one risk', {
  risk: text('what could happen'),
  likelihood: optionalText('high, medium or low', wordCharacters),
  impact: optionalText('high, medium or low, and on what', wordCharacters),
  mitigation: optionalText('what would reduce it'),
})

const ISSUE_REFERENCE = text('the issue, and what you did about it')

/** The answers that Muster knows. A playbook can bring a JSON Schema of its own for others. */
export const OUTPUT_SCHEMAS = {
  /** A commit that differs from the one it started from. */
  change: object('what you did', {
    summary: text('what you did, in a few sentences'),
    files: list('the files that you created or changed', PATH),
    artifactType: {
      ...word('what most of the change is', ARTIFACT_TYPES),
      default: 'code',
    },
    testsAdded: list('the tests that you added or changed', SENTENCE),
    assumptions: list('what you assumed', SENTENCE),
    knownLimitations: list('what is missing, or does not work yet', SENTENCE),
    dependenciesAdded: list('packages that you added', text('name and version', wordCharacters)),
    issuesFixed: list('if your work was sent back: the issues that you fixed', ISSUE_REFERENCE),
    issuesDisputed: list(
      'if your work was sent back: the issues that you left, each with the reason',
      SENTENCE,
    ),
    criteria: list('the numbered criteria that are met now, if you were shown any', CLAIM),
    learnings: list('what others who work in this repository should know', SENTENCE),
  }),
  criteria: object('what must hold in the end', {
    criteria: requiredList(
      'what must hold in the end; others refer to these by number',
      text('something that somebody else can check'),
      1,
    ),
    risks: list('what could go wrong', SENTENCE),
    needsDesign: flag('whether somebody should design the change before it is built'),
  }),
  design: object('a design', {
    approach: text('what changes where, in which order, with which interfaces', longCharacters),
    alternatives: list('the alternatives that you took seriously', ALTERNATIVE),
    phases: list('the steps to build it in, in order', text('what to build, and how it is checked')),
    files: list('the files that it touches', PATH),
    risks: list('what could go wrong', RISK),
    openQuestions: list('what only a person can decide', SENTENCE),
    assumptions: list('what you assumed', SENTENCE),
  }),
  questions: object('questions', {
    questions: requiredList('the questions, each of which makes sense on its own', text('one question'), 1),
  }),
  findings: object('what you found', {
    summary: text('the most important of it, in a few sentences'),
    findings: requiredList('your findings, the most important first; may be empty', FINDING),
    confidence: word('how sure you are of the whole', CONFIDENCE),
    openQuestions: list('what you could not find out, and where the answer might be', SENTENCE),
    methodology: optionalText('where and how you looked'),
  }),
  review: VERDICT_SCHEMA,
  choice: object('a choice', {
    choice: wholeNumber('the number of the candidate; 0 if none of them should be taken', 0),
    reason: text('why this one, and the strongest argument against it', longCharacters),
  }),
  document: object('a document', {
    title: text('its title', wordCharacters),
    text: text(
      'the document, as Markdown without its title; line breaks are written as \\n',
      documentCharacters,
    ),
  }),
} satisfies Readonly<Record<string, ObjectSchema>>

export type OutputFormat = keyof typeof OUTPUT_SCHEMAS

export function shippedSchema(format: string): ObjectSchema | undefined {
  return Object.hasOwn(OUTPUT_SCHEMAS, format) ? OUTPUT_SCHEMAS[format as OutputFormat] : undefined
}

/** What a playbook may expect of the fields of a shipped format; undefined if there is no such format. */
export function formatFields(format: string): Fields | undefined {
  const schema = shippedSchema(format)
  return schema === undefined ? undefined : fieldsOf(schema.properties)
}
