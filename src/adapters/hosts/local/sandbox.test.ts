import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial, type HostTrial } from '../../../../test/support/hosts/host-trial.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import type { HostRequest } from '../../../ports/session-host.ts'

const [bubblewrap] = await containmentsHere()
const isMissing = bubblewrap?.isMissing ?? true

describe.skipIf(isMissing)(`a program in a sandbox (${bubblewrap?.name})`, () => {
  it('works in its tree and sees only what it was given of the home', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const output = await place.run(
      trial,
      `echo new >file; cat file; cat ../../.agent/settings; cat ../../agent-now/settings
       cat ../../.ssh/key || echo unreadable; ls -A ../..; ls -A ..; cat ${place.home}/note || echo gone`,
    )

    expect(output.split('\n')).toEqual([
      ...['new', 'shown', 'shown', 'unreadable', '.agent', 'agent-now', 'work', 'tree', 'gone', ''],
    ])
    expect(await readFile(join(place.tree, 'file'), 'utf8')).toBe('new\n')
  })

  it("cannot read Muster's files, not even those of its own session", async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const output = await place.run(trial, `ls -A ${place.muster}; cat ${place.token} || echo unreadable`, {
      sandbox: place.policy({ hidden: [place.home, place.muster, place.token] }),
    })
    expect(output).toBe('unreadable\n')
  })

  it('cannot write anywhere else or change its sandbox', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const output = await place.run(
      trial,
      `for path in /usr/x /etc/x ${place.path}/x ../../.agent/x; do (: >$path) && echo wrote $path; done
       mount -o remount,rw / && echo remounted; umount ${place.home} && echo unmounted
       umount -l ${place.home} && echo unmounted; mkdir /tmp/bound
       unshare --user --map-root-user --mount sh -c '
         umount ${place.home} && echo unmounted; mount -o remount,bind,rw / && echo remounted
         mount --bind ${place.path} /tmp/bound && cat /tmp/bound/home/note'
       (: >>/proc/sys/kernel/printk) && echo opened; echo done`,
    )
    expect(output).toBe('done\n')
  })

  it('has its own /tmp, and variables that point there', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const mark = `/tmp/muster-private-${process.pid}`
    const environment = {
      PATH: '/usr/bin:/bin',
      TMPDIR: '/var/tmp/nowhere',
      TMP: place.tree,
      TRIAL: trial.path,
    }
    const output = await place.run(trial, `echo x >${mark}; cat ${mark}; echo $TMPDIR; echo $TMP`, {
      environment,
    })
    expect(output).toBe(`x\n/tmp\n${place.tree}\n`)
    expect(existsSync(mark)).toBe(false)
  })

  it.each(['/tmp', '/dev/shm'])('sees in %s only what it was given there', async (parent) => {
    await using trial = await createHostTrial({ policy: { level: 'bubblewrap', writable: [] } })
    await using directory = await temporaryDirectory('muster-given', parent)
    const [tree, tools] = [join(directory.path, 'tree'), join(directory.path, 'tools')]
    await Promise.all([mkdir(tree), mkdir(tools)])
    await Promise.all([
      writeFile(join(tools, 'tool'), 'tool\n'),
      writeFile(join(directory.path, 'secret'), ''),
    ])
    const sandbox = { ...trial.request('').sandbox, writable: [tree], readable: [tools] }
    const id = await trial.run('pwd; echo x >file; cat ../tools/tool; ls ..', { cwd: tree, sandbox })
    await trial.end(id)
    expect(await trial.text(id, 'out')).toBe(`${tree}\ntool\ntools\ntree\n`)
    expect(await readFile(join(tree, 'file'), 'utf8')).toBe('x\n')
  })

  it.each([
    ['allow', 'connected'],
    ['deny', 'ENETUNREACH ECONNREFUSED'],
  ] as const)('with the network policy %s gets %s', async (network, expected) => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    await using server = await listen()
    const output = await place.run(trial, '', {
      command: [process.execPath, '-e', CONNECT, '127.0.0.1', String(server.port)],
      sandbox: place.policy({ network }),
    })
    expect(expected.split(' ')).toContain(output)
  })

  it('sees only its own processes and no sockets of others', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const output = await place.run(
      trial,
      'cat /proc/1/cmdline | tr "\\0" " "; echo; find /run -type s; ls -d /proc/[0-9]* | wc -l',
    )
    const [first, count] = output.split('\n')
    expect(first).toContain('host.sh init')
    expect(Number(count)).toBeLessThan(8)
  })

  it('leaves no background process when it is stopped', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const script = `setsid sh -c 'trap "" TERM; echo up; sleep 600' & trap "" TERM; while :; do sleep 1; done`
    const id = await trial.run(script, { cwd: place.tree, sandbox: place.policy() })
    await trial.printed(id, 'up')
    expect(await trial.host.inspect(id)).toMatchObject({ type: 'running', containment: 'bubblewrap' })
    await trial.host.stop(id, 10)
    expect(await trial.survivors()).toEqual([])
  })

  it('cannot read thousands of keys in a directory that is shown to it', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const tools = join(place.home, 'tools')
    await writeKeys(join(tools, 'old'), 3100)
    await writeFile(join(tools, 'run'), 'shown\n')
    const hiddenNames = { within: [tools], files: ['.env.*'], directories: [] }
    const output = await place.run(trial, `cat ${tools}/run; cat ${tools}/old/.env.7; ls -A ${tools}/old`, {
      sandbox: place.policy({ readable: [tools], hiddenNames }),
    })
    expect(output).toBe('shown\n')
  })

  it('is not started if a directory that must be shown contains too many keys', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const tools = join(place.home, 'tools')
    await writeKeys(tools, 1600)
    const hiddenNames = { within: [tools], files: ['.env.*'], directories: [] }
    const sandbox = place.policy({ readable: [tools], hiddenNames })
    expect(await trial.host.start(trial.request('true', { cwd: place.tree, sandbox }))).toMatchObject({
      failure: {
        type: 'sandbox-unavailable',
        problem: expect.stringContaining(`${tools} contains 1600 files or directories to hide`),
      },
    })
  })

  it('works with as many hidden files as are allowed', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const tools = join(place.home, 'tools')
    await writeKeys(tools, 1500)
    const hiddenNames = { within: [tools], files: ['.env.*'], directories: [] }
    const sandbox = place.policy({ readable: [tools], hiddenNames })
    expect(await trial.host.trySandbox({ cwd: '/', environment: {}, sandbox })).toMatchObject({ ok: true })
  })

  it('can be tried without leaving anything behind', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const request = { cwd: '/', environment: {} }
    expect(await trial.host.trySandbox({ ...request, sandbox: place.policy() })).toEqual({
      ok: true,
      value: 'bubblewrap',
    })
    expect(
      await trial.host.trySandbox({
        ...request,
        cwd: place.muster,
        sandbox: place.policy({ hidden: [place.path] }),
      }),
    ).toMatchObject({
      failure: { type: 'sandbox-unavailable', problem: expect.stringContaining('bwrap') },
    })
    expect(await trial.host.list()).toEqual([])
  })

  it('reports why it could not start', async () => {
    await using place = await createPlace()
    await using trial = await createHostTrial(place.trialOptions)
    const id = await trial.run('true', { cwd: place.muster, sandbox: place.policy({ hidden: [place.path] }) })
    expect(await trial.end(id)).toMatchObject({ type: 'lost' })
    expect(await trial.text(id, 'err')).toContain('bwrap')
  })
})

/** Prints `connected` or an error code. */
const CONNECT = `
const socket = require('node:net').connect(Number(process.argv[2]), process.argv[1])
socket.on('connect', () => { process.stdout.write('connected'); socket.destroy() })
socket.on('error', (error) => process.stdout.write(error.code))
`

/** A home with a tree, settings and secrets, and Muster's files next to it. Not in /tmp, which the sandbox replaces. */
async function createPlace() {
  const path = await mkdtemp('/var/tmp/muster-sandbox-')
  const [home, muster] = [join(path, 'home'), join(path, 'muster')]
  const [tree, token] = [join(home, 'work/tree'), join(path, 'token')]
  for (const directory of [tree, join(home, '.ssh'), join(home, '.agent'), muster]) {
    await mkdir(directory, { recursive: true })
  }
  await writeFile(join(home, '.ssh/key'), 'secret')
  await writeFile(join(home, 'note'), 'private')
  await writeFile(join(home, '.agent/settings'), 'shown\n')
  await writeFile(token, 'secret')
  await symlink('.agent', join(home, 'agent-now'))
  const policy = (changes: Partial<HostRequest['sandbox']> = {}): HostRequest['sandbox'] => ({
    level: 'bubblewrap',
    writable: [tree],
    readable: [join(home, 'agent-now'), dirname(process.execPath)],
    hidden: [home, muster],
    network: 'allow',
    ...changes,
  })
  return {
    path,
    home,
    muster,
    tree,
    token,
    policy,
    trialOptions: { hostsDirectory: join(muster, 'hosts') },
    async run(trial: HostTrial, script: string, changes: Partial<HostRequest> = {}) {
      const id = await trial.run(script, { cwd: tree, sandbox: policy(), ...changes })
      expect(await trial.end(id)).toMatchObject({ type: 'exited' })
      return await trial.text(id, 'out')
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

async function writeKeys(directory: string, count: number): Promise<void> {
  await mkdir(directory, { recursive: true })
  const numbers = Array.from({ length: count }, (_, number) => number)
  await Promise.all(numbers.map((number) => writeFile(join(directory, `.env.${number}`), 'secret\n')))
}

async function listen() {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server has a port')
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
