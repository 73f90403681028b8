import { z } from 'zod'

/** A configured agent. Only the names of its environment variables are sent: the values may be secret. */
export const agentSchema = z
  .object({
    name: z.string(),
    provider: z.string(),
    model: z.string().optional(),
    roles: z.array(z.string()),
    maxParallel: z.number().optional(),
    environmentNames: z.array(z.string()),
    command: z.array(z.string()).optional(),
    script: z.string().optional(),
    permissions: z.enum(['ask', 'bypass', 'auto']).optional(),
    fallback: z.array(z.string()).optional(),
  })
  .meta({ id: 'Agent' })

/** Agents that would have been chosen if they had been ready, and why they weren't. */
export const passedOverSchema = z.array(z.object({ agent: z.string(), reason: z.string() })).readonly()

export type WireAgent = z.infer<typeof agentSchema>

/** An agent as it is configured now. */
export const listedAgentSchema = agentSchema
  .extend({
    /** Whether it could work now. Absent if that wasn't requested, or if its file isn't trusted yet. */
    usability: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('usable') }),
        z.object({ type: z.literal('unusable'), reason: z.string(), remedy: z.string() }),
      ])
      .optional(),
  })
  .meta({ id: 'ListedAgent' })

export type WireListedAgent = z.infer<typeof listedAgentSchema>

/** Checking whether agents can work starts their programs, and one in the sandbox, which is slow. */
export const agentQuerySchema = z.object({
  repositoryPath: z.string().min(1).max(4096),
  usability: z.enum(['true']).optional(),
})

/** The effective configuration of one repository. */
export const agentListSchema = z.object({
  agents: z.array(listedAgentSchema),
  /** The agents bound to each role, first choice first. */
  roles: z.record(z.string(), z.array(z.string())),
  checks: z.array(z.string()),
  /** What the configuration or MUSTER_SANDBOX requests. `auto` is the strongest level that works. */
  sandboxLevel: z.enum(['auto', 'bubblewrap', 'pid-namespace', 'process-group', 'none']).optional(),
  /** Why no session could start in its sandbox. Absent if the sandbox works or wasn't tried. */
  sandboxProblem: z.string().optional(),
})

export type WireAgentList = z.infer<typeof agentListSchema>
