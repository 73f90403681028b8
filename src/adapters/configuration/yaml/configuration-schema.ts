import { z } from 'zod'
import { READY_MADE } from '../../../domain/agent/ready-made.ts'
import { ROLE_NAME } from '../../../domain/agent/role-binding.ts'
import { FAILING_BASE_CHOICES } from '../../../domain/job/base-state.ts'

const name = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/i,
    'is not a valid name: use up to 64 letters, digits, ".", "_" and "-"',
  )
const text = z
  .string()
  .min(1)
  .refine((value) => !value.includes('\0'), 'contains a NUL character')
const texts = z.array(text)
/** A blank command always succeeds, so it would check nothing. */
const commands = z.array(text.refine((value) => value.trim() !== '', 'must not be empty'))
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a valid name for an environment variable')
const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be text').transform(String)
const place = text.regex(/^(\/|~\/.)/, 'must be an absolute path or start with ~/')
const insidePath = text
  .refine((value) => !value.startsWith('/'), 'must be relative to the repository, not absolute')
  .refine((value) => !value.split('/').includes('..'), 'must stay inside the repository, without ".."')
const count = z.int().min(1).max(10_000)
const minutes = z.number().positive().max(1_000_000)
const amount = z.number().nonnegative()
/** With a budget of 0, nothing could ever start. */
const budget = z.number().positive().max(1_000_000)
const roleName = z.string().regex(ROLE_NAME, {
  error: ({ input }) =>
    `${String(input).slice(0, 64)} is not a role name: use up to 64 lower-case letters, digits and "-"`,
})

const agent = z
  .strictObject({
    provider: name.optional(),
    model: text.optional(),
    roles: z.array(roleName).optional(),
    maxParallel: count.optional(),
    env: z.record(variable, scalar).default({}),
    command: texts.nonempty().optional(),
    script: text.optional(),
    permissions: z.enum(['ask', 'bypass', 'auto']).optional(),
    fallback: z.array(name).optional(),
  })
  .refine((fields) => fields.provider !== 'command' || fields.command !== undefined, {
    path: ['command'],
    message: 'is required by the provider "command": a list such as ["node", "agent.mjs"]',
  })
  .refine((fields) => fields.provider !== 'scripted' || fields.script !== undefined, {
    path: ['script'],
    message: 'is required by the provider "scripted": the path of a script file',
  })

/** Only the programs that are agents by their own name need no provider. */
const agents = z.record(name, agent).superRefine((named, context) => {
  for (const [key, { provider }] of Object.entries(named)) {
    if (provider !== undefined || READY_MADE.some((program) => program.name === key)) continue
    context.addIssue({ code: 'custom', path: [key, 'provider'], message: 'is required' })
  }
})

const model = z.strictObject({
  provider: z.enum(['anthropic', 'openai', 'openai-compatible', 'scripted']),
  model: text,
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
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

export const failingBaseSchema = z.enum(FAILING_BASE_CHOICES)
export const modeSchema = z.enum(['auto', 'review', 'approve'])

/** Where Muster's own PostgreSQL is: its address, or the environment variable that contains it. */
const database = z.union(
  [z.strictObject({ url: text }), z.strictObject({ env: variable })],
  'must be either { url: "postgresql://..." } or { env: NAME }',
)

/** Every field of a configuration file. */
export const configurationSchema = z.strictObject({
  version: z.literal(1, 'must be 1, the only version').optional(),
  /** Only in the person's own file. */
  database: database.optional(),
  /** Only in the person's own file, for the command line: desktop notifications when something waits. */
  notify: z.boolean().optional(),
  checks: commands.optional(),
  setup: commands.optional(),
  copy: z.array(insidePath).optional(),
  mode: modeSchema.optional(),
  /** The playbook that works on each of a planner's tasks. */
  playbook: name.optional(),
  failingBase: failingBaseSchema.optional(),
  learnings: z.boolean().optional(),
  taskList: z.enum(['none', 'branch']).optional(),
  secrets: z.array(variable).optional(),
  agents: agents.default({}),
  planner: planner.optional(),
  limits: z.strictObject(limitSchemas).partial().default({}),
  roles: z.record(roleName, role).default({}),
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
