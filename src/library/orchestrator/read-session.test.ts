import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  exampleChange,
  exampleMessage,
  exampleRun,
  exampleVisit,
  ids,
} from '../../../test/support/example-records.ts'
import { sampleId, sampleSession, sampleTask } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { take } from '../../../test/support/take.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { connect, type MusterClient } from '../../client/index.ts'
import { agentMessage } from '../../domain/event/agent-message.ts'
import { readLastLines, readMessages, readProgress } from './read-session.ts'

const jobId = sampleId('job')

let served: TestServer
let client: MusterClient

beforeAll(async () => {
  served = await startTestServer()
  client = connect({ url: served.url, token: TOKEN })
})

afterAll(() => served[Symbol.asyncDispose]())

it('reads the last lines of a session with more events than a page', async () => {
  const session = sampleSession()
  const place = { jobId, sessionId: session.id }
  const lines = Array.from({ length: 1_100 }, (_, index) =>
    agentMessage(place, session, { type: 'text', text: `line ${index}\nand more` }, false),
  )
  const thought = agentMessage(place, session, { type: 'thought', text: 'hidden' }, false)
  await served.world.putSession(session, ...lines, thought)
  expect(await readLastLines(client, session.id, 3)).toBe('and more\nline 1099\nand more')
  expect(await readLastLines(client, session.id, 0)).toBe('')
})

it('reads all messages of a job, oldest first', async () => {
  const bodies = Array.from({ length: 60 }, (_, index) => `message ${index}`)
  await served.world.store.transact(async ({ messages }) => {
    for (const body of bodies) await messages.insert(exampleMessage({ jobId, body }), exampleChange())
  })
  expect((await readMessages(client, jobId))?.map(({ body }) => body)).toEqual(bodies)
})

it('reads the progress of the newest run', async () => {
  expect(await readProgress(client, jobId)).toBe(0)
  const { playbook, hash } = take(
    await createFolderPlaybooks({ shipped: 'playbooks' }).read('playbooks/solo'),
  )
  const chosen = { playbook: { name: 'solo', hash } }
  const first = exampleRun(sampleTask(1), { ...chosen, state: { type: 'ended', end: 'failed' } })
  const next = exampleRun(sampleTask(1), { ...chosen, createdAt: new Date(first.createdAt.getTime() + 1) })
  const visit = exampleVisit({ id: ids.next('visit'), runId: next.id })
  await served.world.store.transact(async ({ pinnedPlaybooks, runs, visits }) => {
    await pinnedPlaybooks.pin({ hash, name: 'solo', playbook, files: {} })
    await runs.insert(first, exampleChange())
    await runs.insert(next, exampleChange())
    await visits.insertAll([visit], exampleChange())
  })
  const { progress } = take(await client.getRun(next.id))
  expect(progress).toBeGreaterThan(0)
  expect(await readProgress(client, jobId)).toBe(progress)
})

it('has neither progress nor messages while the daemon is away', async () => {
  const away = connect({ url: 'http://127.0.0.1:1', token: TOKEN })
  expect([await readProgress(away, jobId), await readMessages(away, jobId)]).toEqual([undefined, undefined])
})
