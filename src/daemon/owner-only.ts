/** A port whose every method first makes sure that this process may act. `mayAct` throws if it must not. */
export function ownerOnly<Port extends object>(port: Port, mayAct: () => void): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      // Closing is always allowed.
      if (typeof name === 'symbol') return value.bind(target)
      return (...parameters: unknown[]) => {
        mayAct()
        return value.apply(target, parameters)
      }
    },
  })
}
