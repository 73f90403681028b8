import { z } from 'zod'

const texts = z.array(z.string()).default([])
const numbers = z.array(z.int()).default([])

const task = z.object({
  description: z.string().min(1),
  context: z.string().default(''),
  files: texts,
  successCriteria: texts,
  priority: z.enum(['P0', 'P1', 'P2']).default('P1'),
  parallel: z.boolean().default(true),
  dependsOn: numbers.describe('numbers of tasks in this answer, counted from 1'),
  clauses: numbers.describe('numbers of the clauses of the goal that the task serves'),
})

/** A goal that was not cut into clauses has nothing to number: then a sentence is enough. */
const evidence = z.union([z.object({ clause: z.int(), evidence: z.string() }), z.string()])

/** What a planner answers. A default is for a model that left a field out; each is told to leave out none. */
export const plannerAnswerSchema = z.object({
  tasks: z.array(task).default([]),
  reasoning: z.string().default(''),
  blockers: texts,
  done: z.boolean(),
  evidence: z.array(evidence).default([]),
  learnings: texts,
})
