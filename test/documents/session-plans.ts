import { take } from '../support/take.ts'
import { until } from '../support/test-daemon.ts'
import type { World } from './documents-world.ts'
import { HANG } from './example-project.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

const DETACH = '\u001d'

async function here({ repository }: World, name = 'sessions'): Promise<Scene> {
  return { cwd: (await repository(name)).path }
}

/** With a session that waits for a message, and that no other command changes. */
async function idle(world: World): Promise<Scene> {
  return { ...(await here(world)), ids: { SES: await world.session('new') } }
}

/** With a session that waits for a message. */
async function shared(world: World): Promise<Scene> {
  return { ...(await here(world)), ids: { SES: await world.session('shared') } }
}

/** With a session whose program has ended. */
async function ended(world: World): Promise<Scene> {
  return { ...(await here(world)), ids: { SES: await world.endedSession() } }
}

/** With a session whose program is stopped until the session is resumed. */
async function suspended(world: World): Promise<Scene> {
  const scene = await idle(world)
  const id = scene.ids?.SES ?? ''
  take(await world.client.suspendSession(id))
  await world.sessionWhen(id, ({ status }) => status === 'suspended')
  return scene
}

/** With a session in a terminal. */
async function onScreen(world: World): Promise<Scene> {
  const scene = await here(world)
  const request = { repositoryPath: scene.cwd, agent: 'screen', mode: 'interactive' } as const
  const { id } = take(await world.client.openSession(request))
  await world.sessionWhen(id, ({ status }) => status === 'running')
  return { ...scene, ids: { SES: id }, terminal: { at: 'welcome to the screen', keys: DETACH } }
}

/** As an agent in a session, with a message from a person. */
async function asAgent({ agentKey, agentsJob, client, directory }: World): Promise<Scene> {
  const environment = await agentKey('first')
  const jobId = await agentsJob()
  const { id } = take(await client.sendMessage({ to: 'role:worker', jobId, body: 'Is it on your branch?' }))
  return { cwd: directory, environment, ids: { JOB: jobId, MSG: id } }
}

/** A question from an agent to the person that no one has answered. */
async function questionOf({ client, agentKey, agentsJob }: World, body: string): Promise<string> {
  const { MUSTER_URL, MUSTER_TOKEN } = await agentKey('first')
  await fetch(`${MUSTER_URL}/api/agent/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MUSTER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: body }),
  })
  const job = await agentsJob()
  const { items } = take(await client.listMessages({ job, recipient: 'person', kind: 'question' }))
  return items.find((message) => message.body === body)?.id ?? 'no question'
}

/** Answers the agent's question as soon as it is there. */
async function answerQuestions({ client, agentsJob }: World, text: string): Promise<void> {
  const job = await agentsJob()
  await until(async () => {
    const { items } = take(await client.listMessages({ job, recipient: 'person', kind: 'question' }))
    const open = items.find(({ body }) => body.includes(text))
    return open !== undefined && (await client.sendMessage({ inReplyTo: open.id, body: 'Yes.' })).ok
  })
}

/** Commands about sessions, messages and agents. */
export const SESSION_PLANS: Plans = {
  'muster session start TEXT': async (world) => ({ ...(await here(world)), shows: 'I was told 1 things' }),
  'muster session start TEXT --agent claude': async (world) => ({
    ...(await here(world)),
    shows: 'I was told 1 things',
  }),
  'muster session start --interactive': async ({ newRepository }) => {
    const agents = { screen: { provider: 'command', command: ['sh', 'screen.sh'] } }
    const { path } = await newRepository('screen', {
      'screen.sh': `printf 'welcome to the screen'; cat`,
      'muster.yaml': JSON.stringify({ version: 1, checks: ['true'], agents }),
    })
    return { cwd: path, terminal: { at: 'welcome to the screen', keys: DETACH } }
  },
  'muster attach SES': onScreen,
  'muster attach SES --read-only': onScreen,
  'muster list sessions': async (world) => ({ ...(await shared(world)), shows: 'claude' }),
  'muster list sessions --all': async (world) => ({ ...(await ended(world)), shows: 'claude' }),
  'muster list sessions --resumable': async (world) => ({ ...(await suspended(world)), shows: 'claude' }),
  'muster show SES': async (world) => ({ ...(await shared(world)), shows: 'claude' }),
  'muster logs SES -f': async (world) => ({ ...(await ended(world)), shows: 'I was told 1 things' }),
  'muster logs SES --since 10m --timestamps': async (world) => ({
    ...(await shared(world)),
    shows: 'I was told 1 things',
  }),
  'muster send SES TEXT': shared,
  'muster interrupt SES': async (world) => {
    const scene = await idle(world)
    take(await world.client.say(scene.ids?.SES ?? '', HANG))
    await world.sessionWhen(scene.ids?.SES ?? '', ({ openTurns }) => openTurns === 1)
    return scene
  },
  'muster suspend SES': idle,
  'muster resume SES --message TEXT': suspended,
  'muster stop SES': idle,
  'muster ask SES TEXT': async (world) => ({ ...(await ended(world)), shows: 'I was told 2 things' }),
  'muster ask agent:claude TEXT': async (world) => {
    await ended(world)
    return { ...(await here(world)), shows: 'I was told' }
  },
  'muster agent progress TEXT --percent 60': asAgent,
  'muster agent ask TEXT --wait 30': async (world) => ({
    ...(await asAgent(world)),
    meanwhile: () => answerQuestions(world, 'old format'),
    shows: 'Yes.',
  }),
  'muster agent inbox --wait 30': async (world) => ({ ...(await asAgent(world)), shows: 'on your branch?' }),
  'muster agent send MSG TEXT': asAgent,
  'muster agent send role:reviewer - < notes.md': async (world) => ({
    ...(await asAgent(world)),
    ...(await here(world)),
  }),
  'muster agent inbox --ack MSG': async (world) => {
    const scene = await asAgent(world)
    const headers = { authorization: `Bearer ${scene.environment?.['MUSTER_TOKEN']}` }
    await fetch(`${scene.environment?.['MUSTER_URL']}/api/agent/inbox`, { headers })
    return scene
  },
  'muster agent complete TEXT': async ({ agentKey, directory }) => ({
    cwd: directory,
    environment: await agentKey('second'),
  }),
  'curl -s "$MUSTER_URL/api/agent/messages" -H "Authorization: Bearer $MUSTER_TOKEN" -H TEXT -d TEXT': async (
    world,
  ) => ({ ...(await asAgent(world)), shows: '"success":true' }),
  'printf TEXT TEXT > "$MUSTER_OUTBOX/.1" && mv "$MUSTER_OUTBOX/.1" "$MUSTER_OUTBOX/1.json"': async (
    world,
  ) => ({
    ...(await asAgent(world)),
    meanwhile: async () => {
      const job = await world.agentsJob()
      await until(async () =>
        take(await world.client.listEvents(job, { limit: 500 })).items.some((event) =>
          JSON.stringify(event).includes('half way'),
        ),
      )
    },
  }),
  'muster messages --all': async (world) => ({ ...(await asAgent(world)), shows: 'Is it on your branch?' }),
  'muster messages person --questions': async (world) => {
    await questionOf(world, 'Is this shown?')
    return { cwd: world.directory, shows: 'Is this shown?' }
  },
  'muster messages critic --job JOB': asAgent,
  'muster answer MSG TEXT': async (world) => ({
    cwd: world.directory,
    ids: { MSG: await questionOf(world, 'Shall I drop it?') },
  }),
}
