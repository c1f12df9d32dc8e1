package perceptron

import "perceptron/internal/saved"

// savedPlane is the saved form of a Hyperplane: its fields, without its methods.
type savedPlane Hyperplane

func savePlane(h Hyperplane) savedPlane { return savedPlane{listed(h.Weights), h.Bias} }

// listed returns a copy of s that is not nil: encoding/json writes nil as null.
func listed[E any](s []E) []E { return append([]E{}, s...) }

// savedSeparation is the saved form of a Separation.
type savedSeparation struct {
	Space       Space      `json:"space"`
	Separable   bool       `json:"separable"`
	Hyperplane  Hyperplane `json:"hyperplane"`
	Lower       float64    `json:"lower"`
	Upper       float64    `json:"upper"`
	Radius      float64    `json:"radius"`
	Multipliers []float64  `json:"multipliers"`
}

// AppendBinary appends the binary form to b; docs/format.md describes it. It returns
// ErrNotFinite if a weight or the bias is not finite. b is then unchanged.
func (h Hyperplane) AppendBinary(b []byte) ([]byte, error) { return saved.AppendFrame(b, h) }

// MarshalBinary returns what [Hyperplane.AppendBinary] appends.
func (h Hyperplane) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// UnmarshalBinary replaces h by the hyperplane that AppendBinary wrote. It returns
// ErrFormat, with the first problem and its position, if data is anything else. h is
// then unchanged.
func (h *Hyperplane) UnmarshalBinary(data []byte) error { return h.read(data, saved.ReadFrame) }

// MarshalJSON returns {"weights":[…],"bias":…}. Reading the numbers again gives the
// same bits. Errors are those of [Hyperplane.AppendBinary].
func (h Hyperplane) MarshalJSON() ([]byte, error) {
	return saved.JSON(savePlane(h), h.checkNumbers(Affine))
}

// UnmarshalJSON replaces h by the hyperplane in MarshalJSON's form, which other
// programs may also write. Both fields must be there, and no others. It returns
// ErrFormat, with the first problem and its position, if data is anything else. h is
// then unchanged. JSON's null changes nothing.
func (h *Hyperplane) UnmarshalJSON(data []byte) error { return h.read(data, saved.ReadJSON) }

func (h *Hyperplane) read(data []byte, read saved.Reader) error {
	var form savedPlane
	return read(data, &form, func() error { *h = Hyperplane(form); return nil })
}

// AppendBinary appends the binary form to b; docs/format.md describes it. It returns
// ErrNotFinite if a number is not finite, and ErrConfig if fields contradict each
// other. b is then unchanged.
func (s Separation) AppendBinary(b []byte) ([]byte, error) { return saved.AppendFrame(b, s) }

// MarshalBinary returns what [Separation.AppendBinary] appends.
func (s Separation) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// UnmarshalBinary replaces s by the Separation that AppendBinary wrote. It returns
// ErrFormat, with the first problem and its position, if data is anything else. s is
// then unchanged. Use Verify to check the claims of s against the rows.
func (s *Separation) UnmarshalBinary(data []byte) error { return s.read(data, saved.ReadFrame) }

// MarshalJSON returns an object with the fields, whose names begin with a small
// letter. Reading the numbers again gives the same bits. Errors are those of
// [Separation.AppendBinary].
func (s Separation) MarshalJSON() ([]byte, error) {
	form := savedSeparation(s)
	form.Multipliers = listed(s.Multipliers)
	return saved.JSON(form, s.validate())
}

// UnmarshalJSON is UnmarshalBinary for MarshalJSON's form. JSON's null changes
// nothing.
func (s *Separation) UnmarshalJSON(data []byte) error { return s.read(data, saved.ReadJSON) }

func (s *Separation) read(data []byte, read saved.Reader) error {
	var form savedSeparation
	return read(data, &form, func() error {
		err := (*Separation)(&form).validate()
		if err == nil {
			*s = Separation(form)
		}
		return saved.At("", err)
	})
}
