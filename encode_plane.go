package perceptron

// AppendBinary appends the binary form, which docs/format.md lays out, to
// b. A weight or bias that is not finite is ErrNotFinite, and b is then returned
// as it was.
func (h Hyperplane) AppendBinary(b []byte) ([]byte, error) {
	if err := h.checkFinite(); err != nil {
		return b, err
	}
	return appendBinary(b, kindHyperplane, &h), nil
}

// MarshalBinary is AppendBinary to nothing.
func (h Hyperplane) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// UnmarshalBinary replaces h by one that AppendBinary wrote. ErrFormat says what
// is wrong with data, and where; h is then as it was.
func (h *Hyperplane) UnmarshalBinary(data []byte) error {
	var next Hyperplane
	if err := readBinary(data, kindHyperplane, &next); err != nil {
		return err
	}
	*h = next
	return nil
}

// MarshalJSON returns {"weights":[…],"bias":…}, with numbers that are read back
// to the bit. Errors are those of AppendBinary.
func (h Hyperplane) MarshalJSON() ([]byte, error) {
	if err := h.checkFinite(); err != nil {
		return nil, err
	}
	return appendObject(nil, &h), nil
}

// UnmarshalJSON replaces h by one from MarshalJSON's form, such as other programs
// write: both fields must be there and no others. ErrFormat says what is wrong
// with data, and where; h is then as it was. null changes nothing.
func (h *Hyperplane) UnmarshalJSON(data []byte) error {
	if isNull(data) {
		return nil
	}
	var next Hyperplane
	if err := readJSON(data, &next); err != nil {
		return err
	}
	*h = next
	return nil
}

// checkEncodable checks what no saved Separation may violate.
func (s *Separation) checkEncodable() error { return s.validate() }

// AppendBinary appends the binary form, which docs/format.md lays out, to
// b. A number that is not finite is ErrNotFinite, and fields that contradict each
// other are ErrConfig; b is then returned as it was.
func (s Separation) AppendBinary(b []byte) ([]byte, error) {
	if err := s.checkEncodable(); err != nil {
		return b, err
	}
	return appendBinary(b, kindSeparation, &s), nil
}

// MarshalBinary is AppendBinary to nothing.
func (s Separation) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// UnmarshalBinary replaces s by one that AppendBinary wrote. ErrFormat says what
// is wrong with data, and where; s is then as it was. What s claims of its data
// is for Verify to find out.
func (s *Separation) UnmarshalBinary(data []byte) error {
	var next Separation
	return s.take(&next, readBinary(data, kindSeparation, &next))
}

// MarshalJSON returns an object of the fields, whose names begin with a small
// letter, with numbers that are read back to the bit. Errors are those of
// AppendBinary.
func (s Separation) MarshalJSON() ([]byte, error) {
	if err := s.checkEncodable(); err != nil {
		return nil, err
	}
	return appendObject(nil, &s), nil
}

// UnmarshalJSON is UnmarshalBinary for MarshalJSON's form. null changes nothing.
func (s *Separation) UnmarshalJSON(data []byte) error {
	if isNull(data) {
		return nil
	}
	var next Separation
	return s.take(&next, readJSON(data, &next))
}

// take replaces s by next, if that was read without err and is sound.
func (s *Separation) take(next *Separation, err error) error {
	if err != nil {
		return err
	}
	if err := next.checkEncodable(); err != nil {
		return flawed("", "%s", reason(err))
	}
	*s = *next
	return nil
}
