import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { jobStatusSchema } from './job.ts'
import { limitSchema } from './page-query.ts'
import { idSchema, nameSchema } from './text.ts'

const count = z.int().min(0)

/** Which pinned work to list. */
export const pinnedQuerySchema = z.object({
  limit: limitSchema,
  job: idSchema.optional(),
  /** Also work that is not missing: superseded, restored, or by agents that were not asked to change files. */
  all: z.enum(['true', 'false']).optional(),
})

/** Work that did not land and that Muster keeps. */
export const pinnedWorkSchema = z
  .object({
    /** The attempt, or the session outside any job, that left it. */
    id: z.string(),
    jobId: z.string().optional(),
    taskId: z.string().optional(),
    /** The short name of the task, such as t1-2. */
    task: z.string().optional(),
    title: z.string(),
    agent: z.string(),
    repositoryPath: z.string(),
    /**
     * `unlanded`: no branch has it. `superseded`: another attempt at its task landed, or the task that merged it
     * after a conflict did. `scratch`: an agent that plans or reviews changed files. `restored`: a branch of the repository has it.
     */
    status: z.enum(['unlanded', 'superseded', 'scratch', 'restored']),
    /** Why it did not land. */
    reason: z.string(),
    /** Present if the work was refused; it is then restored only if asked for explicitly. */
    refusal: z.string().optional(),
    at: instantSchema,
    /** The commit with the work, and the one that it started from. */
    commit: z.string(),
    base: z.string(),
    files: count.optional(),
    added: count.optional(),
    removed: count.optional(),
    /** The size of the files that are new or changed. */
    bytes: count.optional(),
  })
  .meta({ id: 'PinnedWork' })

export const pinnedListSchema = z.object({ items: z.array(pinnedWorkSchema) })

export const restoreRequestSchema = z
  .object({
    /** The name of the new branch; by default one that begins with muster/recovered. */
    branch: nameSchema.optional(),
    /** Also restore work that was refused. */
    withRefusedWork: z.boolean().optional(),
  })
  .meta({ id: 'RestoreRequest' })

export const restoredSchema = z
  .object({
    work: pinnedWorkSchema,
    branch: z.string(),
    /** False if the branch existed already, at exactly this work. */
    isNew: z.boolean(),
  })
  .meta({ id: 'RestoredWork' })

export const deleteJobRequestSchema = z
  .object({
    /** Show what would be removed, and remove nothing. */
    dryRun: z.boolean().optional(),
    /** Also remove work that exists nowhere else. */
    withUnlandedWork: z.boolean().optional(),
    /** Also delete the working branch in the repository. */
    withBranch: z.boolean().optional(),
  })
  .meta({ id: 'DeleteJobRequest' })

export const deletedJobSchema = z
  .object({
    jobId: z.string(),
    title: z.string(),
    workingBranch: z.string(),
    repositoryPath: z.string(),
    isDryRun: z.boolean(),
    /** What of the job still runs, which prevents its deletion. */
    running: z.array(z.string()),
    /** Work that goes with the job and exists nowhere else. */
    unlanded: z.array(pinnedWorkSchema),
    /** How many pieces of pinned work go too although they did not land: they are superseded. */
    superseded: count,
    /** The head of the working branch, if what landed is in no branch of the repository. */
    undelivered: z.string().optional(),
    /** Whether the working branch in the repository goes too. */
    isBranchRemoved: z.boolean(),
    /** Records and files, without what is in Muster's copy of the repository. */
    bytes: count,
  })
  .meta({ id: 'DeletedJob' })

export const cleanRequestSchema = z
  .object({
    /** Only jobs that ended before this time; by default, 30 days ago. */
    endedBefore: instantSchema.optional(),
    dryRun: z.boolean().optional(),
  })
  .meta({ id: 'CleanRequest' })

export const cleanedSchema = z
  .object({
    endedBefore: instantSchema,
    isDryRun: z.boolean(),
    jobs: z.array(
      z.object({
        jobId: z.string(),
        title: z.string(),
        repositoryPath: z.string(),
        status: jobStatusSchema,
        /** Why it ended. */
        reason: z.string().optional(),
        endedAt: instantSchema.optional(),
        bytes: count,
        /** The work that did not land and goes with the job, by name. */
        unlanded: z.array(z.string()),
        /** Why it stays; absent if it was removed, or would be. */
        kept: z.string().optional(),
      }),
    ),
    /** Of the jobs that were removed, or would be. */
    bytes: count,
  })
  .meta({ id: 'Cleaned' })

export const garbageRequestSchema = z
  .object({ dryRun: z.boolean().optional() })
  .meta({ id: 'GarbageRequest' })

export const garbageSchema = z
  .object({
    isDryRun: z.boolean(),
    items: z.array(
      z.object({
        what: z.enum(['deletion', 'session-files', 'working-tree', 'warm-trees', 'base-check', 'objects']),
        /** The session, attempt, project, job or baseline that it belongs to. */
        name: z.string(),
        /** Why it is not needed, or why it stays. */
        reason: z.string(),
        /** For `objects` that were not removed, at most this much. */
        bytes: count,
        isKept: z.boolean(),
      }),
    ),
    /** Of what was removed, or would be. */
    bytes: count,
  })
  .meta({ id: 'Garbage' })

export type WireGarbage = z.infer<typeof garbageSchema>
export type WirePinnedWork = z.infer<typeof pinnedWorkSchema>
export type WireRestoredWork = z.infer<typeof restoredSchema>
export type WireDeletedJob = z.infer<typeof deletedJobSchema>
export type WireCleaned = z.infer<typeof cleanedSchema>
export type WireDeleteJobRequest = z.input<typeof deleteJobRequestSchema>
export type WireRestoreRequest = z.input<typeof restoreRequestSchema>
export type WireCleanRequest = z.input<typeof cleanRequestSchema>
