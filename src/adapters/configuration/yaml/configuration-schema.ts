import { z } from 'zod'
import { ROLE_NAME } from '../../../domain/agent/role-name.ts'

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'is not a name: letters, digits, . _ - (64 at most)')
const text = z
  .string()
  .min(1)
  .refine((value) => !value.includes('\0'), 'has a NUL character in it')
const texts = z.array(text)
/** A command of nothing but blanks always succeeds, and says nothing. */
const commands = z.array(text.refine((value) => value.trim() !== '', 'is empty: name a command'))
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a name of an environment variable')
const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be a text').transform(String)
const place = text.regex(/^(\/|~\/.)/, 'must be an absolute path, or begin with ~/')
const insidePath = text
  .refine((value) => !value.startsWith('/'), 'must be a path inside the repository, not an absolute one')
  .refine((value) => !value.split('/').includes('..'), 'must stay inside the repository: no ".."')
const count = z.int().min(1).max(10_000)
const minutes = z.number().positive().max(1_000_000)
const amount = z.number().nonnegative()
/** Nothing could start with nothing to spend. */
const budget = z.number().positive().max(1_000_000)
const roleName = z.string().regex(ROLE_NAME, {
  error: ({ input }) =>
    `${String(input).slice(0, 64)} is not a role name: lower-case letters, digits and - (64 at most)`,
})

const agent = z
  .strictObject({
    provider: name,
    model: text.optional(),
    roles: z.array(roleName).default(['worker', 'planner']),
    maxParallel: count.optional(),
    env: z.record(variable, scalar).default({}),
    command: texts.nonempty().optional(),
    script: text.optional(),
    permissions: z.enum(['ask', 'bypass', 'auto']).optional(),
    fallback: z.array(name).optional(),
  })
  .refine((fields) => fields.provider !== 'command' || fields.command !== undefined, {
    path: ['command'],
    message: 'is needed by the provider "command": a list such as ["node", "agent.mjs"]',
  })
  .refine((fields) => fields.provider !== 'scripted' || fields.script !== undefined, {
    path: ['script'],
    message: 'is needed by the provider "scripted": the path of a script file',
  })

const model = z.strictObject({
  provider: z.enum(['anthropic', 'openai', 'openai-compatible', 'scripted']),
  model: text,
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an address that begins with http' }).optional(),
  priceUsd: z.strictObject({ input: amount, output: amount }).optional(),
})

const planner = z
  .strictObject({ agent: name.optional(), model: name.optional() })
  .refine((fields) => (fields.agent === undefined) !== (fields.model === undefined), {
    message: 'must have exactly one of "agent" and "model"',
  })

const role = z
  .strictObject({
    agent: name.optional(),
    agents: z.array(name).nonempty().optional(),
    model: name.optional(),
    models: texts.nonempty().optional(),
    maxParallel: count.optional(),
  })
  .refine(({ agent: one, agents, model }) => [one, agents, model].filter(Boolean).length < 2, {
    message: 'may have only one of "agent", "agents" and "model"',
  })

const roles = z
  .record(roleName, role)
  .refine((bindings) => bindings['worker']?.model === undefined, {
    path: ['worker', 'model'],
    message: 'cannot be: a model plans and reviews, and work needs an agent',
  })
  .default({})

export const limitSchemas = {
  parallel: count,
  projectParallel: count,
  modelParallel: z.record(text, count),
  attemptMinutes: minutes,
  jobMinutes: minutes,
  maxCycles: count,
  maxAttempts: count,
  budgetUsd: budget,
  dailyUsd: budget,
  memoryFloorMb: amount,
}

export const modeSchema = z.enum(['auto', 'review', 'approve'])

/** Everything a configuration file may say. */
export const configurationSchema = z.strictObject({
  version: z.literal(1, 'must be 1, the only version there is').optional(),
  checks: commands.optional(),
  setup: commands.optional(),
  copy: z.array(insidePath).optional(),
  mode: modeSchema.optional(),
  learnings: z.boolean().optional(),
  secrets: z.array(variable).optional(),
  agents: z.record(name, agent).default({}),
  planner: planner.optional(),
  limits: z.strictObject(limitSchemas).partial().default({}),
  roles,
  models: z.record(name, model).default({}),
  sandbox: z
    .strictObject({
      level: z.enum(['auto', 'bubblewrap', 'pid-namespace', 'process-group', 'none']),
      network: z.enum(['allow', 'deny']),
      memoryMb: z.int().min(64),
      maxProcesses: z.int().min(8),
      readable: z.array(place),
      writable: z.array(place),
    })
    .partial()
    .optional(),
})

export type ConfigurationFields = z.infer<typeof configurationSchema>
