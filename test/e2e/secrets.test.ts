import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { shellProject } from '../support/command-agents.ts'
import { startJob } from '../support/run-job.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

const API_KEY = 'sk-ant-api03-7hG/kL+29qZ'
const MARKED = 'a marked value: "42"'
const OWN = 'glpat-Zz81mNq0_-x'

const LEAKED = ['KEPT', 'NOTED', 'GITLAB_TOKEN', 'MUSTER_TOKEN']

/** Prints a variable plainly, in JSON, in base64 and on standard error. */
const leak = (name: string) => `
  printf 'plain %s\\n' "$${name}"
  printf '%s' "$${name}" | base64 -w0; echo
  printf 'user:%s' "$${name}" | base64 -w0; echo
  printf '{"type":"tool-call","name":"Bash","input":{"command":["curl","%s"]}}\\n' "$(printf '%s' "$${name}" | sed 's/"/\\\\"/g')"
  printf 'error %s\\n' "$${name}" >&2`

describe('secrets that an agent prints', () => {
  it('appear in no event, row, message, log or response, before and after a restart', async () => {
    await using directory = await temporaryDirectory('muster-secrets')
    const file = join(directory.path, 'leaked')
    await writeFile(file, `${API_KEY}\n`)
    const script = `
      printf '%s' "$MUSTER_TOKEN" > ${directory.path}/token-of-worker
      ${LEAKED.map(leak).join('\n')}
      touch ${directory.path}/leaked-once; until [ -f ${directory.path}/again ]; do sleep 0.05; done
      echo again
      ${LEAKED.map(leak).join('\n')}
      muster agent progress "using $KEPT" --percent 10
      muster agent send person "the key is $KEPT and the token $MUSTER_TOKEN"
      echo a > a.txt; git add a.txt; git commit -q -m 'Add a.txt'
      printf '{"type":"result","summary":"used %s"}\\n' "$KEPT"`
    const files = shellProject([{ description: 'leak', script }], {
      checks: [`cat ${file}`],
      environment: { KEPT: API_KEY, NOTED: MARKED, GITLAB_TOKEN: OWN },
    })
    const configuration = { ...JSON.parse(files['muster.yaml']), secrets: ['MARKED_VALUE'] }
    await using repository = await testRepository({ ...files, 'muster.yaml': JSON.stringify(configuration) })
    const connection = await createTestDatabase()
    const home = join(directory.path, 'home')
    const environment = {
      MUSTER_DATABASE_URL: urlOf(connection),
      ANTHROPIC_API_KEY: API_KEY,
      MARKED_VALUE: MARKED,
    }
    const first = await startDaemon(home, environment)
    const jobId = await startJob(first.client, repository)
    await until(() => existsSync(join(directory.path, 'leaked-once')))
    await first.kill()
    await using daemon = await startDaemon(home, environment)
    await writeFile(join(directory.path, 'again'), '')
    expect(await waitForJob(daemon.client, jobId)).toMatchObject({ reason: 'goal-reached' })

    const token = await readFile(join(directory.path, 'token-of-worker'), 'utf8')
    const homeToken = (await readFile(join(home, 'token'), 'utf8')).trim()
    const texts = {
      events: JSON.stringify(await daemon.client.listEvents(jobId, { limit: 500 })),
      tasks: JSON.stringify(await daemon.client.listTasks({ job: jobId })),
      messages: JSON.stringify(await daemon.client.listMessages({ job: jobId })),
      sessions: JSON.stringify(await daemon.client.listSessions({ job: jobId })),
      log: await readFile(join(home, 'logs/daemon.log'), 'utf8'),
      ...(await allRows(connection)),
    }
    for (const [secretName, secret] of Object.entries({ API_KEY, MARKED, OWN, token, homeToken })) {
      const forms = [secret, JSON.stringify(secret).slice(1, -1), base64(secret), base64(`user:${secret}`)]
      for (const [place, text] of Object.entries(texts)) {
        const found = forms.filter((form) => text.includes(form.replace(/=+$/, '').slice(8)))
        expect({ place, secretName, found }).toEqual({ place, secretName, found: [] })
      }
    }
    for (const name of ['ANTHROPIC_API_KEY', 'MARKED_VALUE', 'GITLAB_TOKEN', 'MUSTER_TOKEN']) {
      expect(texts.events.split(`plain [redacted:${name}]`)).toHaveLength(3)
      expect(texts.events).toContain(`error [redacted:${name}]`)
    }
    expect(texts.messages).toContain('the key is [redacted:ANTHROPIC_API_KEY]')
  })
})

describe('a secret that a limit cuts', () => {
  it('is stored without more than three of its characters', async () => {
    await using directory = await temporaryDirectory('muster-secrets')
    // Each limit falls on the last character of the key: 200 of a line, 4,000 of the output, 2,000 of progress.
    const dots = (count: number) => `printf '%${count}s' '' | tr ' ' .`
    const script = `
      muster agent progress "$(${dots(2_001 - API_KEY.length)})$KEPT"
      printf '%s' "$KEPT" >&2; ${dots(3_700)} >&2; echo >&2
      ${dots(200 - API_KEY.length)} >&2; printf '%s error\\n' "$KEPT" >&2; ${dots(4_001 - 3_701 - 207 - API_KEY.length)} >&2
      exit 3`
    const files = shellProject([{ description: 'leak', script }], {
      limits: { maxCycles: 1, maxAttempts: 1 },
      environment: { KEPT: API_KEY },
    })
    await using repository = await testRepository(files)
    const connection = await createTestDatabase()
    await using daemon = await startDaemon(join(directory.path, 'home'), {
      MUSTER_DATABASE_URL: urlOf(connection),
      ANTHROPIC_API_KEY: API_KEY,
    })
    const jobId = await startJob(daemon.client, repository)
    await waitForJob(daemon.client, jobId)
    const tasks = JSON.stringify(await daemon.client.listTasks({ job: jobId }))
    expect(tasks).toContain('exited with code 3')
    const places = Object.entries({ ...(await allRows(connection)), tasks })
    const parts = Array.from({ length: API_KEY.length - 3 }, (_, at) => API_KEY.slice(at, at + 4))
    const found = places.flatMap(([place, text]) =>
      parts.flatMap((part) => (text.includes(part) ? [{ place, part }] : [])),
    )
    expect(found).toEqual([])
  })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** All rows of the database. */
async function allRows(connection: object): Promise<Record<string, string>> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'muster' and table_type = 'BASE TABLE'`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const rows = await client.query<{ row: object }>(`select to_jsonb(it) as row from muster.${name} as it`)
    found[`table ${name}`] = JSON.stringify(rows.rows)
  }
  await client.end()
  expect(found).toHaveProperty('table jobs')
  return found
}
