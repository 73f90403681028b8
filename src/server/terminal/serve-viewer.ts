import { WebSocket } from 'ws'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { failureBody } from '../../contract/failure/failure-table.ts'
import { parseViewerMessage, TERMINAL_CLOSE, type TerminalMessage } from '../../contract/terminal.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { SessionId } from '../../domain/id.ts'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'
import type { SessionTerminal } from '../../engine/queries/sessions.ts'
import type { Log } from '../../ports/log.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { TerminalHost, TerminalSnapshot, TerminalViewer, ViewerEnd } from '../../ports/terminal-host.ts'
import type { Keyboards, KeyboardUser } from './keyboards.ts'
import type { TerminalHandshake } from './terminal-handshake.ts'

export type ViewerNeeds = {
  readonly terminals: TerminalHost
  readonly keyboards: Keyboards
  readonly log: Log
  /** The process of a session that a terminal shows, if it has one, and the session's recorded end. */
  findTerminal(sessionId: SessionId): Promise<SessionTerminal | undefined>
  /** How long a viewer may read nothing before it is disconnected. */
  readonly stallMs: number
}

/** One person's connection to a terminal, from beginning to end. */
export async function serveViewer(
  needs: ViewerNeeds,
  handshake: TerminalHandshake,
  socket: WebSocket,
): Promise<void> {
  // What the viewer sends before its terminal is open waits in the kernel, so early typing isn't lost.
  socket.pause()
  try {
    const { sessionId } = handshake
    const terminal = await needs.findTerminal(sessionId)
    if (terminal === undefined) return refuse(socket, { type: 'not-found', what: 'terminal', id: sessionId })
    const { hostId } = terminal
    const snapshot = await needs.terminals.inspect(hostId)
    if (snapshot.type !== 'running') return await end(needs, socket, { sessionId, hostId }, snapshot)
    if (socket.readyState === WebSocket.OPEN)
      await new ViewerConnection(needs, handshake, socket, hostId).open()
  } finally {
    socket.resume()
  }
}

function send(socket: WebSocket, message: TerminalMessage): void {
  socket.send(JSON.stringify(message))
}

function refuse(socket: WebSocket, failed: EdgeFailure): void {
  send(socket, { type: 'refused', error: failureBody(failed).error })
  socket.close(TERMINAL_CLOSE.refused, 'refused')
}

async function end(
  needs: ViewerNeeds,
  socket: WebSocket,
  { sessionId, hostId }: { readonly sessionId: SessionId; readonly hostId: HostId },
  snapshot: Exclude<TerminalSnapshot, { readonly type: 'running' }>,
): Promise<void> {
  const screen = await needs.terminals.screen(hostId)
  if (screen.ok) send(socket, { type: 'screen', text: screen.value })
  // The files of a terminal are removed soon after its session has ended. The record stays.
  const recorded = (await needs.findTerminal(sessionId))?.end
  const seen =
    snapshot.type === 'absent' ? ({ type: 'lost', reason: 'its terminal is gone' } as const) : snapshot
  send(socket, { type: 'ended', end: recorded ?? seen })
  socket.close(TERMINAL_CLOSE.ended, 'the session ended')
}

class ViewerConnection implements KeyboardUser {
  readonly #needs: ViewerNeeds
  readonly #handshake: TerminalHandshake
  readonly #socket: WebSocket
  readonly #hostId: HostId
  #viewer: TerminalViewer | undefined
  #stall: NodeJS.Timeout | undefined
  #isPausedByViewer = false as boolean
  #isClosed = false as boolean

  constructor(needs: ViewerNeeds, handshake: TerminalHandshake, socket: WebSocket, hostId: HostId) {
    this.#needs = needs
    this.#handshake = handshake
    this.#socket = socket
    this.#hostId = hostId
  }

  async open(): Promise<void> {
    const { keyboards, terminals } = this.#needs
    const { sessionId, take, columns, rows } = this.#handshake
    keyboards.join(sessionId, this)
    const mayWrite = !this.#handshake.readOnly && keyboards.take(sessionId, this, take)
    this.#listen(mayWrite)
    const connected = await terminals.connect(this.#hostId, {
      columns,
      rows,
      readOnly: !mayWrite,
      onData: (bytes) => this.#send(bytes),
      onEnd: (reason) => {
        this.#conclude(reason).catch((error: unknown) => this.#break(error))
      },
    })
    if (!connected.ok) return await this.#conclude({ type: 'terminal-end' })
    this.#viewer = connected.value
    send(this.#socket, { type: 'opened', sessionId, readOnly: !mayWrite })
    send(this.#socket, { type: 'keyboard', taken: keyboards.isTaken(sessionId) })
    if (this.#isClosed) connected.value[Symbol.dispose]()
    else this.#settle()
  }

  onTaken(): void {
    this.#socket.close(TERMINAL_CLOSE.keyboardTaken, 'the keyboard was taken over')
  }

  onKeyboard(taken: boolean): void {
    send(this.#socket, { type: 'keyboard', taken })
  }

  #listen(mayWrite: boolean): void {
    const write = (bytes: Uint8Array) => {
      if (mayWrite) this.#viewer?.write(bytes)
    }
    this.#socket.on('message', (data, isBinary) => {
      const bytes = data as Buffer
      if (isBinary) write(bytes)
      else this.#heed(bytes.toString('utf8'), write)
    })
    this.#socket.once('close', () => {
      this.#isClosed = true
      clearTimeout(this.#stall)
      this.#needs.keyboards.leave(this.#handshake.sessionId, this)
      this.#viewer?.[Symbol.dispose]()
    })
  }

  #send(bytes: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(bytes, () => {
      if (this.#socket.bufferedAmount === 0) this.#catchUp()
    })
    if (this.#socket.bufferedAmount > HTTP_LIMITS.viewerBufferBytes) this.#fallBehind()
  }

  #catchUp(): void {
    if (this.#stall === undefined) return
    clearTimeout(this.#stall)
    this.#stall = undefined
    this.#settle()
  }

  #heed(text: string, write: (bytes: Uint8Array) => void): void {
    const message = parseViewerMessage(text)
    switch (message?.type) {
      // Clients of other versions may send messages that we don't know.
      case undefined:
        return
      case 'input':
        write(Buffer.from(message.text))
        return
      case 'resize':
        this.#viewer?.resize(message)
        return
      case 'pause':
      case 'resume':
        this.#isPausedByViewer = message.type === 'pause'
        this.#settle()
        return
      case 'screen':
        this.#showScreen().catch((error: unknown) => this.#break(error))
        return
      default:
        assertNever(message)
    }
  }

  async #showScreen(): Promise<void> {
    const screen = await this.#needs.terminals.screen(this.#hostId)
    // A viewer that requests screens without reading them gets no more.
    const isBehind = this.#socket.bufferedAmount > HTTP_LIMITS.viewerBufferBytes
    if (screen.ok && !isBehind) send(this.#socket, { type: 'screen', text: screen.value })
  }

  /** Reads nothing more for the viewer until it has caught up; one that never does is disconnected. */
  #fallBehind(): void {
    this.#stall ??= setTimeout(() => this.#cutOff(), this.#needs.stallMs)
    this.#settle()
  }

  #settle(): void {
    if (this.#stall !== undefined || this.#isPausedByViewer) this.#viewer?.pause()
    else this.#viewer?.resume()
  }

  async #conclude(reason: ViewerEnd): Promise<void> {
    if (reason.type === 'too-slow') return this.#cutOff()
    const snapshot = await this.#needs.terminals.inspect(this.#hostId)
    if (snapshot.type === 'running') return this.#socket.close(TERMINAL_CLOSE.broken, 'the view broke')
    await end(
      this.#needs,
      this.#socket,
      { sessionId: this.#handshake.sessionId, hostId: this.#hostId },
      snapshot,
    )
  }

  #cutOff(): void {
    this.#needs.log.warn({ sessionId: this.#handshake.sessionId }, 'disconnected a viewer that reads nothing')
    this.#socket.terminate()
  }

  #break(error: unknown): void {
    this.#needs.log.error({ error, sessionId: this.#handshake.sessionId }, 'a view of a terminal failed')
    this.#socket.close(TERMINAL_CLOSE.broken, 'something went wrong')
  }
}
