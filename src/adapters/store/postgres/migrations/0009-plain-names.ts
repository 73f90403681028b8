import { type Kysely, sql } from 'kysely'

/** Renames columns and stored values to the names that the code and the API use now. */
export const migration0009 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

/** Keys of the conversation state, which nest at any depth. Quotes inside JSON strings are escaped, so only keys match. */
const CONVERSATION_KEYS = [
  ['unsaid', 'lastInput'],
  ['unsaidAt', 'lastInputAt'],
  ['wishes', 'requested'],
  ['isAnswerOver', 'isAnswerFinished'],
  ['isTold', 'isReported'],
] as const

const renamedKeys = CONVERSATION_KEYS.reduce(
  (text, [before, after]) => `replace(${text}, '"${before}":', '"${after}":')`,
  'conversation::text',
)

const STATEMENTS = [
  `alter table jobs rename column wanted_tasks to requested_tasks`,
  `alter table sessions rename column life to process_number`,
  `alter table sessions rename column talk to conversation`,
  `alter table sessions alter column conversation set default
    '{"usage": {"costUsd": 0, "inputTokens": 0, "outputTokens": 0}, "openTurns": 0, "lastInput": "", "lastInputAt": 0}'`,
  `update sessions set conversation = (${renamedKeys})::jsonb`,
  `update sessions set state = (state - 'isOver') || jsonb_build_object('hasExited', state->'isOver')
    where state ? 'isOver'`,
  `update approvals set asker = (asker - 'life') || jsonb_build_object('processNumber', asker->'life')
    where asker ? 'life'`,
  `update events set type = 'document_applied' where type = 'document_taken_up'`,
  `update events set data = (data - 'life') || jsonb_build_object('processNumber', data->'life')
    where type in ('session_started', 'session_resumed')`,
]
