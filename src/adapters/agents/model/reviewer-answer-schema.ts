import { z } from 'zod'

const issue = z.object({
  severity: z.string().default(''),
  location: z.string().default(''),
  issue: z.string().min(1),
  suggestion: z.string().default(''),
})

const criterion = z.object({
  criterion: z.int().describe('number of the success criterion, counted from 1'),
  met: z.boolean(),
  evidence: z.string().default(''),
})

/** What a reviewer answers. The verdict has no default: one that was not given is nobody's approval. */
export const reviewerAnswerSchema = z.object({
  verdict: z.enum(['APPROVED', 'NEEDS_REVISION', 'REJECTED']),
  summary: z.string().default(''),
  issues: z.array(issue).default([]),
  criteria: z.array(criterion).default([]),
})
