import type { AnswerSchema } from '../../domain/agent/answer-schema.ts'

const TEXT = { type: 'string', default: '' }

const ISSUE: AnswerSchema = {
  type: 'object',
  properties: {
    severity: TEXT,
    location: TEXT,
    issue: { type: 'string', minLength: 1 },
    suggestion: TEXT,
  },
  required: ['issue'],
}

const CRITERION: AnswerSchema = {
  type: 'object',
  properties: {
    criterion: { type: 'integer', description: 'number of the success criterion, counted from 1' },
    met: { type: 'boolean' },
    evidence: TEXT,
  },
  required: ['criterion', 'met'],
}

/** A reviewer's answer. The verdict has no default, because a missing verdict is not an approval. */
export const REVIEWER_ANSWER: AnswerSchema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['APPROVED', 'NEEDS_REVISION', 'REJECTED'] },
    summary: TEXT,
    issues: { type: 'array', items: ISSUE, default: [] },
    criteria: { type: 'array', items: CRITERION, default: [] },
  },
  required: ['verdict'],
}
