//go:build js && wasm

package main

import "syscall/js"

// main defines the JavaScript function playground({do: …}), which the page calls. The function
// returns a picture as JSON.
func main() {
	p := newPlayground()
	js.Global().Set("playground", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return p.answer(read(args[0]))
	}))
	select {}
}

// read converts a JavaScript object to a request. A missing field is zero.
func read(v js.Value) request {
	text := func(key string) string {
		if s := v.Get(key); s.Type() == js.TypeString {
			return s.String()
		}
		return ""
	}
	number := func(key string) float64 {
		if n := v.Get(key); n.Type() == js.TypeNumber {
			return n.Float()
		}
		return 0
	}
	return request{
		Do: text("do"), Name: text("name"), Text: text("text"), Gesture: text("gesture"), Board: int(number("board")),
		X: number("x"), Y: number("y"),
		Point: int(number("point")), Label: int(number("label")), Times: int(number("times")),
	}
}
