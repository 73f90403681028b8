import { z } from 'zod'
import { instantSchema } from './instant.ts'

const originFields = {
  /** The visit that gave it, and its number among the findings of that visit. */
  id: z.string(),
  visitId: z.string(),
  stage: z.string(),
  round: z.number(),
  /** A role of the playbook, or `person`. */
  role: z.string(),
  createdAt: instantSchema,
}

export const findingSchema = z
  .object({
    ...originFields,
    claim: z.string(),
    confidence: z.string(),
    sources: z.array(z.string()),
    contradictingEvidence: z.string().optional(),
    methodology: z.string().optional(),
    /** The role whose review approved it. */
    verifiedBy: z.string().optional(),
    verifiedAt: instantSchema.optional(),
  })
  .meta({ id: 'Finding' })

export const artifactSchema = z
  .object({
    ...originFields,
    artifactType: z.string(),
    files: z.array(z.string()),
    summary: z.string(),
    /** Counts the versions of this type in the run, from 1. */
    version: z.number(),
    reviewStatus: z.enum(['pending', 'approved', 'needs_revision', 'rejected']),
    commit: z.string().optional(),
  })
  .meta({ id: 'Artifact' })

export const decisionSchema = z
  .object({
    ...originFields,
    decision: z.string(),
    rationale: z.string().optional(),
    alternatives: z.array(
      z.object({ name: z.string(), pros: z.array(z.string()), cons: z.array(z.string()) }),
    ),
  })
  .meta({ id: 'Decision' })

export type WireFinding = z.infer<typeof findingSchema>
export type WireArtifact = z.infer<typeof artifactSchema>
export type WireDecision = z.infer<typeof decisionSchema>
