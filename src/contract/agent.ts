import { z } from 'zod'

/** A configured worker. Of its environment only the names are told: the values may be secrets. */
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

export type WireAgent = z.infer<typeof agentSchema>

/** What the configuration of one repository comes to. */
export const agentListSchema = z.object({
  agents: z.array(agentSchema),
  planner: z.string().optional(),
  worker: z.string().optional(),
  checks: z.array(z.string()),
})

export type WireAgentList = z.infer<typeof agentListSchema>
