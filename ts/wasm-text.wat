;; Reads the text of a wasm file in place: the bytes never overtake their text. In JavaScript, this loop over every
;; byte would cost more than the rest of the package's first call. `ts/entries/wasm-text.ts` holds it assembled; a test
;; compares the two.
(module
  (memory (export "memory") 1)
  ;; The text lies from `at` to `end`, the table at 0. Gives the end of the bytes.
  (func (export "read") (param $at i32) (param $end i32) (result i32)
    (local $out i32) (local $after i32) (local $letter i32)
    (local.set $out (local.get $at))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $at) (local.get $end)))
        (local.set $letter (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.or (local.get $after) (i32.lt_u (local.get $letter) (i32.const 125)))
          (then
            (i32.store8 (local.get $out) (i32.load8_u (i32.add (local.get $after) (local.get $letter))))
            (local.set $out (i32.add (local.get $out) (i32.const 1)))
            (local.set $after (i32.const 0)))
          (else
            (local.set $after (i32.shl (i32.sub (local.get $letter) (i32.const 124)) (i32.const 7)))))
        (br $next)))
    (local.get $out)))
