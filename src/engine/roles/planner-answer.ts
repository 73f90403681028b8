import type { AnswerSchema } from '../../domain/agent/answer-schema.ts'

const TEXT = { type: 'string', default: '' }
const TEXTS = { type: 'array', items: { type: 'string' }, default: [] }
const NUMBERS = { type: 'array', items: { type: 'integer' }, default: [] }

const TASK: AnswerSchema = {
  type: 'object',
  properties: {
    description: { type: 'string', minLength: 1 },
    context: TEXT,
    files: TEXTS,
    successCriteria: TEXTS,
    priority: { type: 'string', enum: ['P0', 'P1', 'P2'], default: 'P1' },
    parallel: { type: 'boolean', default: true },
    dependsOn: { ...NUMBERS, description: 'numbers of tasks in this answer, counted from 1' },
    playbook: { ...TEXT, description: 'the name of a playbook; empty for most tasks' },
    inputs: { type: 'object', description: "values of the playbook's inputs", default: {} },
    clauses: { ...NUMBERS, description: 'numbers of the clauses of the goal that the task serves' },
  },
  required: ['description'],
}

const CLAUSE_EVIDENCE: AnswerSchema = {
  type: 'object',
  properties: { clause: { type: 'integer' }, evidence: { type: 'string' } },
  required: ['clause', 'evidence'],
}

/** A planner's answer. */
export const PLANNER_ANSWER: AnswerSchema = {
  type: 'object',
  properties: {
    tasks: { type: 'array', items: TASK, default: [] },
    reasoning: TEXT,
    blockers: TEXTS,
    done: { type: 'boolean' },
    // A goal without clauses has nothing to number. Then a sentence is enough.
    evidence: { type: 'array', items: { anyOf: [CLAUSE_EVIDENCE, { type: 'string' }] }, default: [] },
    learnings: TEXTS,
  },
  required: ['done'],
}
